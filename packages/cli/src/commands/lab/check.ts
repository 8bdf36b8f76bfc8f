/** Is a file a trace, and are its needs enough? And what a trace looks like, for other languages. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../shared/context.js';
import { EXIT } from '../shared/io.js';
import { createPrinter } from '../shared/print.js';
import { renderSummary } from './summary.js';

export function addCheck(lab: Command, context: Context): void {
  lab
    .command('check')
    .description(
      'check a trace: what is wrong by line and field, what it holds, whether policies may be ranked on it',
    )
    .argument('<file>', 'a trace, as `lab import` writes it; may be packed (.gz, .zst)')
    .option('--json', 'for programs: JSON on standard output')
    .action(async (file: string, { json = false }: { readonly json?: boolean }) => {
      const { TraceCounter, traceProblems } = await import('@pagefault/lab');
      const counter = new TraceCounter();
      const problems = await traceProblems(resolve(context.io.cwd, file), (line) => counter.take(line));
      const printer = createPrinter(context.io);
      if (json) printer.json({ problems, ...counter.summary() });
      else printer.line([...problems, renderSummary(counter.summary())].join('\n'));
      if (problems.length > 0) context.finish(EXIT.failure);
    });
}

export function addSchema(lab: Command, context: Context): void {
  lab
    .command('schema')
    .description('the format of a trace as a JSON schema of one line')
    .action(async () => {
      const { traceSchema } = await import('@pagefault/lab');
      createPrinter(context.io).line(JSON.stringify(traceSchema(), undefined, 2));
    });
}
