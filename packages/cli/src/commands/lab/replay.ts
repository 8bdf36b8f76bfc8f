/** The paging of a recording under other policies. */
import { POLICIES } from '@pagefault/kernel';
import type { LabReport } from '@pagefault/lab';
import type { Command } from 'commander';
import { formatNumber, formatPercent, formatTable } from '../../terminal/index.js';
import type { Context } from '../shared/context.js';
import { withPolicies } from '../shared/policies.js';
import { createPrinter } from '../shared/print.js';
import { namesOf, policyOption } from './policies.js';
import { linesOfFile } from '../shared/split-lines.js';

interface ReplayOptions {
  readonly policy: readonly string[];
  readonly json?: boolean;
}

export function addReplay(lab: Command, context: Context): void {
  lab
    .command('replay')
    .description('replay the paging of a recording under other policies')
    .argument('<recording>', 'a file that --record made')
    .addOption(policyOption(Object.keys(POLICIES)))
    .option('--json', 'for programs: JSON on standard output')
    .action(async (file: string, options: ReplayOptions) => {
      const { compare } = await import('@pagefault/lab');
      const { loadPolicy } = await context.wiring();
      const loading = namesOf(options.policy).map((name) => loadPolicy(name, context.io.cwd));
      const policies = await Promise.all(loading);
      const report = await withPolicies(policies, (all) => compare(linesOfFile(file), all));
      const printer = createPrinter(context.io);
      if (options.json) printer.json(report);
      else printer.line(renderReplays(report));
    });
}

function renderReplays({ recorded, replays }: LabReport): string {
  const rows = replays.map((replay) => [
    replay.policy,
    formatNumber(replay.evictions.length),
    formatNumber(replay.needs),
    formatNumber(replay.faults),
    formatPercent(replay.faultRate),
    formatNumber(replay.dead),
    formatNumber(replay.peak),
    replay.sameAsRecorded ? 'yes' : 'no',
  ]);
  const table = formatTable(
    [
      { title: 'policy' },
      { title: 'evictions', align: 'right' },
      { title: 'needs', align: 'right' },
      { title: 'faults', align: 'right' },
      { title: 'fault rate', align: 'right' },
      { title: 'never needed again', align: 'right' },
      { title: 'peak tokens', align: 'right' },
      { title: 'as recorded' },
    ],
    rows,
  );
  return `recorded: ${recorded.policy}, ${formatNumber(recorded.evictions.length)} evictions\n\n${table}`;
}
