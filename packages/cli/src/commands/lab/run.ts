/** What policies do on a trace: faults, evictions, and what all of it costs. */
import { resolve } from 'node:path';
import type { Figures, Rankable } from '@pagefault/lab';
import type { Command } from 'commander';
import { type Column, formatNumber, formatPercent, formatTable } from '../../terminal/index.js';
import type { Context } from '../shared/context.js';
import { createPrinter } from '../shared/print.js';
import { contestantOption, loadContestants, namesOf } from './policies.js';
import { addSetupOptions, readSetup, setupNotes, type SetupOptions } from './setup.js';

interface Given extends SetupOptions {
  readonly policy: readonly string[];
  readonly budget: readonly string[];
  readonly json?: boolean;
  readonly csv?: boolean;
}

export function addRun(lab: Command, context: Context): void {
  const command = lab
    .command('run')
    .description('what policies do on a trace: faults, evictions, and what all of it costs')
    .argument('<trace>', 'a trace, as `lab import` writes it; may be packed (.gz, .zst)')
    .addOption(contestantOption())
    .option('--budget <sizes...>', 'tokens (32000, 32k) or shares of the trace (25%)', ['10%', '25%']);
  addSetupOptions(command)
    .option('--json', 'for programs: JSON on standard output')
    .option('--csv', 'for programs: comma-separated values on standard output')
    .action((file: string, given: Given) => run(context, file, given));
}

async function run(context: Context, file: string, given: Given): Promise<void> {
  const { io } = context;
  const lab = await import('@pagefault/lab');
  const { setup, prices } = readSetup(lab, given);
  const policies = await loadContestants(context, given.policy);
  const budgets = namesOf(given.budget).map((text) => lab.budgetChoice(text));
  const trace = await lab.loadTrace(resolve(io.cwd, file));
  const rows = [...lab.runGrid(trace, { policies, budgets, setup })].map((row) => lab.figuresOf(row, prices));
  const printer = createPrinter(io);
  for (const note of setupNotes(lab, policies, { setup })) printer.note(note);
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
