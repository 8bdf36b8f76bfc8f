/** What policies did at budgets, priced: what most commands show, each in its own way. */
import type { TokenPrices } from '@pagefault/contracts';
import type { Point, Series } from '../plots/chart.js';
import type { GridRow } from './cell.js';
import type { TraceFacts } from './facts.js';
import { type BoundFigures, boundRow, figuresOf, kindOfRow, rowOf } from './figures.js';
import { type Column, type Row, shown, type Table, type Unit } from './table.js';

export interface Experiment {
  readonly facts: TraceFacts;
  /** Of the price book. */
  readonly model: string;
  readonly prices: TokenPrices;
  readonly rows: readonly GridRow[];
  /** One a budget, or none. */
  readonly bounds: readonly BoundFigures[];
  /** What was left out or is odd, to be said beside the rest. */
  readonly notes: readonly string[];
}

/** Rows of figures for programs, budgets ascending, with the bound last of each. */
export function rowsOf({ facts, prices, rows, bounds }: Experiment): readonly Row[] {
  const { rankable } = facts.judged;
  const needs = rows[0]?.report.needs ?? 0;
  const figures = rows.map((row) => rowOf(figuresOf(row, prices), rankable));
  const all = [...figures, ...bounds.map((bound) => boundRow(bound, needs, prices, rankable))];
  return all.toSorted((a, b) => number(a, 'budget') - number(b, 'budget'));
}

export function number(row: Row, key: string): number {
  const value = row[key];
  return typeof value === 'number' ? value : Number.NaN;
}

export const text = (row: Row, key: string): string => String(row[key] ?? '');

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** A row a policy and a column a budget, the least first if they may be ranked: by the mean over budgets. */
export function matrix(
  { facts }: Experiment,
  rows: readonly Row[],
  { key, title, unit }: { readonly key: string; readonly title: string; readonly unit: Unit },
): Table {
  const budgets = unique(rows.map((row) => number(row, 'budget')));
  const policies = unique(rows.map((row) => text(row, 'policy')));
  const valueAt = (policy: string, budget: number) =>
    rows.find((row) => row['policy'] === policy && row['budget'] === budget)?.[key] ?? null;
  const mean = (policy: string) => budgets.reduce((sum, budget) => sum + Number(valueAt(policy, budget)), 0);
  const ordered = facts.judged.rankable ? policies.toSorted((a, b) => mean(a) - mean(b)) : policies;
  const columns = budgets.map((budget): Column => ({
    key: String(budget),
    title: shown(budget, 'tokens'),
    unit,
  }));
  return {
    name: key,
    title: `${title}, by budget in tokens`,
    columns: [{ key: 'policy', title: 'policy', unit: 'text' }, ...columns],
    rows: ordered.map((policy) => ({
      policy,
      ...Object.fromEntries(budgets.map((budget) => [String(budget), valueAt(policy, budget)])),
    })),
  };
}

/** One a policy, and of what bounds them. */
export function seriesOf(rows: readonly Row[], pointOf: (row: Row) => Point): readonly Series[] {
  return unique(rows.map((row) => text(row, 'policy'))).map((name) => ({
    name,
    role: kindOfRow(name),
    points: rows.filter((row) => row['policy'] === name).map(pointOf),
  }));
}

/** A run that is over the budget in more of its steps has another budget than it says: it is not held against others. */
const MOST_OVER = 0.05;

/** Whether the budget holds for a run, but for steps whose needs alone are more. */
export function keepsBudget(row: Row, { facts }: Pick<Experiment, 'facts'>): boolean {
  return !(number(row, 'overflows') > MOST_OVER * facts.steps);
}

/** Which runs are left out where runs are held against each other. */
export function overBudget(rows: readonly Row[], experiment: Pick<Experiment, 'facts'>): readonly string[] {
  const over = rows.filter((row) => !keepsBudget(row, experiment));
  if (over.length === 0) return [];
  const told = unique(over.map((row) => text(row, 'policy'))).map((policy) => {
    const at = over.filter((row) => row['policy'] === policy);
    return `${policy} at ${at.map((row) => shown(number(row, 'budget'), 'tokens')).join('; ')}`;
  });
  return [
    `not held against others, being over the budget in more than ${MOST_OVER * 100} % of steps: ${told.join('. ')}`,
  ];
}

/** Odd runs, which a reader should know of. */
export function warnings({ rows }: Pick<Experiment, 'rows'>): readonly string[] {
  const over = rows.filter(({ report }) => report.overflows > 0);
  if (over.length === 0) return [];
  const worst = over.reduce((a, b) => (b.report.overflows > a.report.overflows ? b : a));
  return [
    `${over.length} of ${rows.length} runs have requests over the budget, with everything gone that might: ` +
      `${worst.policy} at ${shown(worst.budget, 'tokens')} in ${shown(worst.report.overflows, 'count')} of ${shown(worst.report.steps, 'count')} steps`,
  ];
}
