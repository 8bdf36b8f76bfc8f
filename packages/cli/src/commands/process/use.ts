/** Puts a process on another processor, also while a chat runs it. */
import type { Command } from 'commander';
import { type Context, withInspector } from '../shared/context.js';
import { type CommonOptions, withCommon } from '../shared/options.js';
import { createPrinter } from '../shared/print.js';

export function addUse(program: Command, context: Context): void {
  withCommon(program.command('use'))
    .description(
      'run a process on another processor of the configuration, from the end of the turn under way on',
    )
    .argument('<process>', 'name or pid')
    .argument('[processor]', "its name in `processors` (default: the configuration's own)")
    .action(async (process: string, processor: string | undefined, options: CommonOptions) => {
      const used = await withInspector(context, options, (it) => it.useProcessor(process, processor));
      const printer = createPrinter(context.io);
      if (options.json) printer.json(used);
      else printer.line(`${used.name} runs on ${used.processor}`);
    });
}
