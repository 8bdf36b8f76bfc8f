import { rerun, type RerunReport } from '@pagefault/kernel';
import type { Command } from 'commander';
import { formatNumber, formatTable } from '../terminal/index.js';
import type { Context } from './shared/context.js';
import { EXIT } from './shared/io.js';
import { type ClosablePolicy, withPolicies } from './shared/policies.js';
import { createPrinter } from './shared/print.js';
import { linesOfFile } from './shared/split-lines.js';

interface RerunChoices {
  readonly policy?: string;
  readonly json?: boolean;
}

export function addRerun(program: Command, context: Context): void {
  program
    .command('rerun')
    .description('run a recording again, without a model; fails when a request differs')
    .argument('<recording>', 'a file that --record made')
    .option('--policy <path>', 'the module or command of the policy, when it was one of yours')
    .option('--json', 'for programs: JSON on standard output')
    .action(async (file: string, options: RerunChoices) => {
      const printer = createPrinter(context.io);
      const policies = await ownPolicies(options, context);
      const report = await withPolicies(policies, (all) => rerun(linesOfFile(file), { policies: all }));
      if (options.json) printer.json(report);
      else printer.line(renderReport(report));
      if (report.torn) printer.note('the last line is torn, as a kill leaves it; it was passed over');
      const problem = problemOf(report);
      if (problem !== undefined) printer.note(problem);
      context.finish(problem === undefined ? EXIT.ok : EXIT.failure);
    });
}

async function ownPolicies({ policy }: RerunChoices, { wiring, io }: Context): Promise<ClosablePolicy[]> {
  if (policy === undefined) return [];
  const { loadPolicy } = await wiring();
  return [await loadPolicy(policy, io.cwd)];
}

function problemOf({ firstDifference, firstOtherEvent, events }: RerunReport): string | undefined {
  if (events === 0) return 'there is no event in the recording';
  if (firstDifference !== undefined) return `request ${firstDifference} is the first that differs`;
  if (firstOtherEvent === undefined) return undefined;
  return `event ${firstOtherEvent} is the first after which something else was noticed than was recorded`;
}

function renderReport({ events, requests, equal, flushes, evicted }: RerunReport): string {
  const row = [events, requests, equal, flushes, evicted].map((value) => formatNumber(value));
  const titles = ['events', 'requests', 'equal', 'flushes', 'pages evicted'];
  return formatTable(
    titles.map((title) => ({ title, align: 'right' })),
    [row],
  );
}
