/** What everything costs, over budgets, and which runs are worth their cost: no other has fewer faults for less. */
import type { Chart, Point, Series } from '../plots/chart.js';
import { equalFaultsTable } from './equal-faults.js';
import {
  type Experiment,
  keepsBudget,
  matrix,
  number,
  overBudget,
  rowsOf,
  seriesOf,
  warnings,
} from './experiment.js';
import { subtitleOf } from './facts.js';
import { BOUND_NAME, FIGURE_COLUMNS } from './figures.js';
import type { Study } from './study.js';
import type { Column, Row, Table } from './table.js';

const COST = { key: 'cost', title: 'Cost in input-token equivalents', unit: 'tokens' } as const;
const MONEY = { key: 'dollars', title: 'Cost in US $', unit: 'dollars' } as const;
const PARETO_COLUMN: Column = { key: 'pareto', title: 'nothing better', unit: 'flag' };

export function costStudy(experiment: Experiment): Study {
  const { facts, model, notes, prices } = experiment;
  const { rankable } = facts.judged;
  const all = rowsOf(experiment);
  const sound = all.filter((row) => keepsBudget(row, experiment));
  const best = new Set(paretoFront(sound.filter(({ kind }) => kind === 'policy')));
  const rows = all.map((row) => ({
    ...row,
    pareto: rankable && row['kind'] === 'policy' ? best.has(row) : null,
  }));
  const subtitle = subtitleOf(facts, 'policies in the order of their cost');
  const priced = `prices of ${model}${prices.asOf === undefined ? '' : ` as of ${prices.asOf}`}`;
  return {
    command: 'cost',
    title: 'Cost over budgets',
    subtitle,
    rankable,
    tables: [
      { name: 'rows', title: 'Figures of each run', columns: [...FIGURE_COLUMNS, PARETO_COLUMN], rows },
    ],
    views: [
      matrix(experiment, all, COST),
      matrix(experiment, all, MONEY),
      ...(rankable ? [equalFaultsTable(sound), paretoTable([...best])] : []),
    ],
    charts: [
      costChart(all, `${subtitle}; ${priced}`, rankable),
      paretoChart(sound, `${subtitle}; ${priced}`, rankable),
    ],
    notes: [priced, ...notes, ...warnings(experiment), ...overBudget(all, experiment)],
  };
}

/** Those that no other equals or betters in both faults and cost, the cheapest first. */
export function paretoFront(rows: readonly Row[]): readonly Row[] {
  const byCost = rows.toSorted(
    (a, b) => number(a, 'cost') - number(b, 'cost') || number(a, 'faultRate') - number(b, 'faultRate'),
  );
  let least = Infinity;
  return byCost.filter((row) => {
    const isBetter = number(row, 'faultRate') < least;
    if (isBetter) least = number(row, 'faultRate');
    return isBetter;
  });
}

function paretoTable(rows: readonly Row[]): Table {
  const keys = new Set(['policy', 'budget', 'faults', 'faultRate', 'cost', 'dollars']);
  return {
    name: 'pareto',
    title: 'Nothing has fewer faults for less',
    columns: FIGURE_COLUMNS.filter(({ key }) => keys.has(key)),
    rows,
  };
}

function costChart(rows: readonly Row[], subtitle: string, ranked: boolean): Chart {
  return {
    name: 'cost',
    title: 'Cost over budgets',
    subtitle,
    ranked,
    x: { title: 'budget (tokens)', unit: 'tokens' },
    y: { title: 'cost (input-token equivalents)', unit: 'tokens' },
    series: seriesOf(rows, (row) => [number(row, 'budget'), number(row, 'cost')]),
  };
}

function paretoChart(rows: readonly Row[], subtitle: string, isRanked: boolean): Chart {
  const at = (row: Row) => [number(row, 'faultRate') * 100, number(row, 'cost')] as const;
  const front = isRanked ? paretoFront(rows.filter((row) => row['kind'] === 'policy')) : [];
  const runs = rows.filter(({ kind }) => kind !== 'bound');
  return {
    name: 'pareto',
    title: 'Cost against faults',
    subtitle: `${subtitle}; each point is a policy at a budget`,
    x: { title: 'faults (% of needs)', unit: 'ratio', least: 0 },
    y: { title: 'cost (input-token equivalents)', unit: 'tokens', least: 0 },
    series: [
      ...seriesOf(runs, at).map((one) => ({ ...one, draw: 'points' as const })),
      ...frontOf(front.map(at).toReversed()),
      ...boundOf(rows.filter(({ kind }) => kind === 'bound').map(at), runs.map(at)),
    ],
  };
}

/** A run at a budget has no fewer faults and pays no less than that budget's bound; below the stairs there is no run at any of them. */
function boundOf(corners: readonly Point[], runs: readonly Point[]): readonly Series[] {
  const stairs = corners
    .toSorted(([a, one], [b, other]) => a - b || one - other)
    .filter(([, cost], at, all) => all.slice(0, at).every(([, before]) => before > cost));
  const [first, last] = [stairs[0], stairs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [right, top] = [
    Math.max(last[0], ...runs.map(([x]) => x)),
    Math.max(first[1], ...runs.map(([, y]) => y)),
  ];
  const points: Point[] = [...(first[0] > 0 ? [[first[0], top] as const] : []), ...stairs, [right, last[1]]];
  return [{ name: BOUND_NAME, role: 'bound', draw: 'steps', points }];
}

function frontOf(points: readonly Point[]): readonly Series[] {
  return points.length === 0 ? [] : [{ name: 'nothing better', role: 'front', draw: 'steps', points }];
}
