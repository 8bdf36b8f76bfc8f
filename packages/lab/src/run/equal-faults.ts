/** What the same fault rate costs under each policy, whatever budget it takes: the only fair way to compare costs. */
import { number, text } from './experiment.js';
import type { Column, Row, Table } from './table.js';

/** Faults per need. */
const RATES = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8] as const;

/**
 * The least cost of each policy among the budgets at which it has no more faults than that: none (`null`) where it has more at
 * all of them. In the order of the mean over the rates that all reach; those that do not reach them all last.
 */
export function equalFaultsTable(rows: readonly Row[]): Table {
  const policies = [
    ...new Set(rows.filter(({ kind }) => kind !== 'bound').map((row) => text(row, 'policy'))),
  ];
  const costs = policies.map((policy) => {
    const own = rows.filter((row) => row['policy'] === policy);
    return { policy, least: RATES.map((rate) => leastCost(own, rate)) };
  });
  const shared = RATES.map((_, at) => at).filter((at) => costs.every(({ least }) => least[at] !== null));
  const mean = (least: readonly (number | null)[]) =>
    shared.reduce((sum, at) => sum + (least[at] ?? 0), 0) / Math.max(1, shared.length);
  const missed = (least: readonly (number | null)[]) => least.filter((cost) => cost === null).length;
  const ordered = costs.toSorted(
    (a, b) => missed(a.least) - missed(b.least) || mean(a.least) - mean(b.least),
  );
  const columns = RATES.map((rate): Column => ({
    key: keyOf(rate),
    title: `${rate * 100} % faults`,
    unit: 'tokens',
  }));
  return {
    name: 'equal-faults',
    title: 'Least cost with no more faults per need than that, at any of the budgets',
    columns: [{ key: 'policy', title: 'policy', unit: 'text' }, ...columns],
    rows: ordered.map(({ policy, least }) => ({
      policy,
      ...Object.fromEntries(RATES.map((rate, at) => [keyOf(rate), least[at] ?? null])),
    })),
  };
}

const keyOf = (rate: number) => `faults${rate * 100}`;

function leastCost(rows: readonly Row[], rate: number): number | null {
  const costs = rows.filter((row) => number(row, 'faultRate') <= rate).map((row) => number(row, 'cost'));
  return costs.length === 0 ? null : Math.min(...costs);
}
