import type { Command } from 'commander';
import type { ProcessRow } from '@pagefault/wiring';
import { formatDollars, formatNumber, formatTable } from '../terminal/index.js';
import { stateOf } from './process/state.js';
import { bar } from './shared/bar.js';
import { type Context, withInspector } from './shared/context.js';
import { type CommonOptions, withCommon } from './shared/options.js';
import { createPrinter } from './shared/print.js';

export function addPs(program: Command, context: Context): void {
  withCommon(program.command('ps'))
    .description('list the processes')
    .action(async (options: CommonOptions) => {
      const printer = createPrinter(context.io);
      const rows = await withInspector(context, options, (inspector) => inspector.ps());
      if (options.json) return printer.json(rows);
      if (rows.length === 0) return printer.note('there is no process yet; `pagefault chat` begins one');
      printer.line(renderProcesses(rows));
    });
}

const PRESSURE_WIDTH = 10;

/** The columns of costs, processors and parents only where there are some, several, or forks. */
export function renderProcesses(rows: readonly ProcessRow[]): string {
  const hasSpent = rows.some(({ spend }) => spend > 0);
  const hasForks = rows.some(({ parent }) => parent);
  const hasChoices = new Set(rows.map(({ processor }) => processor)).size > 1;
  return formatTable(
    [
      { title: 'name', maxWidth: 32 },
      { title: 'pid' },
      { title: 'created' },
      { title: 'messages', align: 'right' },
      { title: 'passages', align: 'right' },
      { title: 'pressure' },
      { title: 'tokens', align: 'right' },
      { title: 'state' },
      ...(hasSpent ? [{ title: 'spent', align: 'right' } as const] : []),
      ...(hasChoices ? [{ title: 'processor', maxWidth: 24 }] : []),
      ...(hasForks ? [{ title: 'fork of', maxWidth: 36 }] : []),
    ],
    rows.map((row) => [
      row.name,
      row.pid,
      new Date(row.createdAt).toISOString().slice(0, 16).replace('T', ' '),
      formatNumber(row.messages),
      formatNumber(row.passages),
      bar(row.pressure / row.budget, PRESSURE_WIDTH),
      `${formatNumber(row.pressure)} / ${formatNumber(row.budget)}`,
      stateIn(row),
      ...(hasSpent ? [spentBy(row)] : []),
      ...(hasChoices ? [row.processor] : []),
      ...(hasForks ? [row.parent?.name ?? row.parent?.pid ?? ''] : []),
    ]),
  );
}

/** `+ ?` when more was asked of those that charge something, and nobody said how much. */
function spentBy({ spend, bills }: ProcessRow): string {
  const isMore = Object.values(bills).some((bill) => bill.spend !== undefined && bill.unknown !== undefined);
  return `${formatDollars(spend)}${isMore ? ' + ?' : ''}`;
}

/** Whether a turn runs in it just now is not known here. */
function stateIn(row: ProcessRow): string {
  if (row.killedAt !== undefined) return stateOf(row);
  return [row.running ? 'attached' : 'idle', stateOf(row)].filter((part) => part !== '').join('; ');
}
