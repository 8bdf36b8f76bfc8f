/** What policies do on a trace: faults, evictions, and what all of it costs. */
import { resolve } from 'node:path';
import { POLICIES } from '@pagefault/kernel';
import type { Figures, Rankable, Remains } from '@pagefault/lab';
import { type Command, Option } from 'commander';
import { type Column, formatNumber, formatPercent, formatTable } from '../../terminal/index.js';
import type { Context } from '../shared/context.js';
import { createPrinter } from '../shared/print.js';
import { namesOf, policyOption } from './policies.js';

interface Given {
  readonly policy: readonly string[];
  readonly budget: readonly string[];
  readonly flush: string;
  readonly target: string;
  readonly remains: Remains['kind'];
  readonly prices: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** What is left of a page: a handle of 50 tokens, or a summary of a tenth, of 2,000 tokens at most, that answers nothing. */
const REMAINS: Readonly<Record<Remains['kind'], Remains>> = {
  nothing: { kind: 'nothing' },
  tombstone: { kind: 'tombstone', tokens: 50 },
  summary: { kind: 'summary', ratio: 0.1, most: 2_000, retention: 0 },
};

export function addRun(lab: Command, context: Context): void {
  lab
    .command('run')
    .description('what policies do on a trace: faults, evictions, and what all of it costs')
    .argument('<trace>', 'a trace, as `lab import` writes it; may be packed (.gz, .zst)')
    .addOption(policyOption(Object.keys(POLICIES)))
    .option('--budget <sizes...>', 'tokens (32000, 32k) or shares of the trace (25%)', ['10%', '25%'])
    .option('--flush <share>', 'a reclaim begins above this share of the budget', '1')
    .option('--target <share>', 'and brings it down to this one', '.5')
    .addOption(
      new Option('--remains <what>', 'what is left of pages that go')
        .choices(Object.keys(REMAINS))
        .default('nothing'),
    )
    .option('--prices <model>', 'whose prices, from the price book', 'claude-sonnet-5-5')
    .option('--json', 'for programs: JSON on standard output')
    .option('--csv', 'for programs: comma-separated values on standard output')
    .action((file: string, given: Given) => run(context, file, given));
}

async function run({ io, wiring }: Context, file: string, given: Given): Promise<void> {
  const lab = await import('@pagefault/lab');
  const { loadPolicy } = await wiring();
  const prices = lab.findPricesInBook(given.prices);
  const policies = await Promise.all(namesOf(given.policy).map((name) => loadPolicy(name, io.cwd)));
  const budgets = namesOf(given.budget).map((text) => lab.budgetChoice(text));
  const trace = await lab.loadTrace(resolve(io.cwd, file));
  const setup = {
    flushShare: Number(given.flush),
    targetShare: Number(given.target),
    remains: REMAINS[given.remains],
    ...(prices.long && { longAbove: prices.long.above }),
  };
  const rows = [...lab.runGrid(trace, { policies, budgets, setup })].map((row) => lab.figuresOf(row, prices));
  const printer = createPrinter(io);
  if (given.json)
    return printer.json({ trace: trace.header.id, needs: lab.needCounts(trace), prices, setup, rows });
  if (given.csv) return printer.line(csv(rows));
  const judged = lab.rankable(trace);
  const shown = judged.rankable ? rows.toSorted((a, b) => a.budget - b.budget || a.cost - b.cost) : rows;
  printer.line(`${trace.header.id}: ${ranking(judged)}\n\n${render(shown)}`);
}

function ranking({ rankable, needs, fewest }: Rankable): string {
  const counts = Object.entries(needs).filter(([, count]) => count > 0);
  const told = counts.map(([kind, count]) => `${formatNumber(count)} ${kind}`).join(', ') || 'no';
  const order = rankable
    ? 'policies in the order of their cost'
    : `not ranked, for that takes ${fewest} of one kind`;
  return `${told} needs; ${order}`;
}

const COLUMNS: readonly (Column & { readonly cell: (row: Figures) => string })[] = [
  { title: 'policy', cell: ({ policy }) => policy },
  { title: 'budget', align: 'right', cell: ({ budget }) => formatNumber(budget) },
  { title: 'faults', align: 'right', cell: ({ faults }) => formatNumber(faults) },
  { title: 'per need', align: 'right', cell: ({ faultRate }) => formatPercent(faultRate) },
  { title: 'again', align: 'right', cell: ({ refaults }) => formatNumber(refaults) },
  { title: 'evictions', align: 'right', cell: ({ evictions }) => formatNumber(evictions) },
  { title: 'dead pages', align: 'right', cell: ({ deadPages }) => formatNumber(deadPages) },
  { title: 'mean tokens', align: 'right', cell: ({ meanTokens }) => formatNumber(Math.round(meanTokens)) },
  { title: 'cost (tokens)', align: 'right', cell: ({ cost }) => formatNumber(Math.round(cost)) },
  { title: 'US $', align: 'right', cell: ({ dollars }) => dollars.toFixed(4) },
];

function render(rows: readonly Figures[]): string {
  const cells = rows.map((row) => COLUMNS.map(({ cell }) => cell(row)));
  return formatTable(COLUMNS, cells);
}

function csv(rows: readonly Figures[]): string {
  const [first] = rows;
  const names = Object.keys(first ?? {}) as (keyof Figures)[];
  return [names.join(','), ...rows.map((row) => names.map((name) => row[name]).join(','))].join('\n');
}
