/** A study made again from its manifest: are the rows the same, and if not, what has changed? */
import type { Command } from 'commander';
import { wholeNumber } from '../shared/options.js';
import type { Context } from '../shared/context.js';
import type { AgainOptions } from './run-again.js';

export function addAgain(lab: Command, context: Context): void {
  lab
    .command('again')
    .description('make a study again from its manifest, and say whether its rows are the same')
    .argument('<manifest>', 'the manifest.json of a folder that --out wrote')
    .option('--trace <files...>', 'where the traces are now, in their order')
    .option('--jobs <n>', 'threads (default: all cores, when the work is worth their start)', wholeNumber(1))
    .option('--json', 'for programs: JSON on standard output')
    .action(async (file: string, given: AgainOptions) => {
      const { again } = await import('./run-again.js');
      await again(context, file, given);
    });
}
