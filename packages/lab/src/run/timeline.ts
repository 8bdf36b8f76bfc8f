/** One run step by step: what is resident, what faults, what leaves, and what is read from and written to the cache. */
import type { LeastRequests, BoundSoFar } from '../bounds/so-far.js';
import { type PriceRatios, ratiosOf, inputEquivalents, NO_TOKENS, type TokenTally } from '../cost/tally.js';
import type { StepRecord } from '../paging/report.js';
import type { Chart, Mark, Point, Series } from '../plots/chart.js';
import type { GridRow } from './cell.js';
import { type Experiment, warnings } from './experiment.js';
import { subtitleOf } from './facts.js';
import { BOUND_NAME, kindOfRow } from './figures.js';
import type { Study } from './study.js';
import { type Column, column, type Row, shown, type Table } from './table.js';

const COLUMNS: readonly Column[] = [
  column('policy', 'policy', 'text'),
  column('step', 'step', 'count'),
  column('tokens', 'resident (tokens)', 'tokens'),
  column('faults', 'faults', 'count'),
  column('evictions', 'evictions', 'count'),
  column('read', 'read (tokens)', 'tokens'),
  column('written', 'written (tokens)', 'tokens'),
  column('plain', 'plain (tokens)', 'tokens'),
  column('output', 'output (tokens)', 'tokens'),
  column('cost', 'cost (tokens)', 'tokens'),
  column('kind', 'kind', 'text'),
  column('rankable', 'may be ranked', 'flag'),
];

/** What no policy can do better in the course of a run, at its budget. */
export interface TimelineBounds {
  /** Some steps, ascending. */
  readonly soFar?: readonly BoundSoFar[];
  readonly least?: LeastRequests;
}

/**
 * The rows must have each of their steps. The first is looked at; what knows the needs to come is drawn beside it, and below
 * both what no run can be below at that step. What is read from the cache alone has no such bound: all could be written anew.
 */
export function timelineStudy(experiment: Experiment, bounds: TimelineBounds = {}): Study {
  const { facts, notes, prices, rows } = experiment;
  const { rankable } = facts.judged;
  const own = rows.filter(({ policy }) => kindOfRow(policy) === 'policy');
  const ratios = ratiosOf(prices);
  const subtitle = `${own.map(({ policy, budget }) => `${policy} at ${budget.toLocaleString('en-US')} tokens`).join(', ')}; ${subtitleOf(facts, 'one run ranks nothing')}`;
  return {
    command: 'timeline',
    title: 'A run, step by step',
    subtitle,
    rankable,
    tables: [
      {
        name: 'rows',
        title: 'Steps',
        columns: COLUMNS,
        rows: rows.flatMap((row) => stepRows(row, ratios, rankable)),
      },
    ],
    views: own.map((row) => busiest(stepRows(row, ratios, rankable))),
    charts: charts(experiment, bounds, ratios, subtitle),
    notes: [...notes, ...warnings({ rows: own })],
  };
}

/** What each step added. */
export function stepRows(
  { policy, report }: GridRow,
  ratios: PriceRatios,
  rankable: boolean,
): readonly Row[] {
  return report.made.map((record, at): Row => {
    const before = report.made[at - 1];
    const billed = less(record.billed, before?.billed ?? NO_TOKENS);
    return {
      policy,
      step: record.step,
      tokens: record.tokens,
      faults: record.faults - (before?.faults ?? 0),
      evictions: record.evictions - (before?.evictions ?? 0),
      ...billed,
      cost: inputEquivalents(billed, ratios),
      kind: kindOfRow(policy),
      rankable,
    };
  });
}

function less(a: TokenTally, b: TokenTally): TokenTally {
  return {
    read: a.read - b.read,
    written: a.written - b.written,
    plain: a.plain - b.plain,
    output: a.output - b.output,
  };
}

/** A terminal has no room for all. */
const SEEN = 20;

function busiest(rows: readonly Row[]): Table {
  const eventful = rows.filter(({ faults, evictions }) => faults !== 0 || evictions !== 0);
  const seen = eventful.toSorted((a, b) => Number(b['cost']) - Number(a['cost'])).slice(0, SEEN);
  return {
    name: 'busiest',
    title: `The dearest ${seen.length} of ${eventful.length} steps with a fault or an eviction`,
    columns: COLUMNS.filter(({ key }) => !['policy', 'kind', 'rankable'].includes(key)),
    rows: seen.toSorted((a, b) => Number(a['step']) - Number(b['step'])),
  };
}

function charts(
  { rows }: Experiment,
  { soFar = [], least }: TimelineBounds,
  ratios: PriceRatios,
  subtitle: string,
): readonly Chart[] {
  const over =
    (valueOf: (record: StepRecord) => number) =>
    (row: GridRow): Series => ({
      name: row.policy,
      role: kindOfRow(row.policy),
      points: row.report.made.map((record): Point => [record.step, valueOf(record)]),
    });
  const chart = (name: string, title: string, y: string, series: readonly Series[]): Chart => {
    const axis = { title: y, unit: name === 'faults' ? 'count' : 'tokens', least: 0 } as const;
    return { name, title, subtitle, x: STEPS, y: axis, series };
  };
  const budget = rows[0]?.budget ?? 0;
  const limit: Mark = { name: `budget: ${shown(budget, 'tokens')}`, axis: 'y', at: budget, role: 'limit' };
  const resident = [...rows.map(over(({ tokens }) => tokens)), ...eachStep(BOUND_NAME, least?.tokens)];
  const costs = rows.map(over(({ billed }) => inputEquivalents(billed, ratios)));
  const caches = rows.flatMap((row) => [
    { ...over(({ billed }) => billed.read)(row), name: `${row.policy}: read` },
    { ...over(({ billed }) => billed.written)(row), name: `${row.policy}: written` },
  ]);
  return [
    { ...chart('resident', 'Tokens of each request', 'resident (tokens)', resident), marks: [limit] },
    chart('faults', 'Faults so far', 'faults so far', [
      ...rows.map(over(({ faults }) => faults)),
      ...rising(soFar, 'faults'),
    ]),
    chart('cost', 'Cost so far', 'cost so far (input-token equivalents)', [
      ...costs,
      ...rising(soFar, 'cost'),
    ]),
    chart('cache', 'Read from the cache and written to it so far', 'tokens so far', [
      ...caches,
      ...eachStep(`${BOUND_NAME}: written`, least?.written),
    ]),
  ];
}

const STEPS = { title: 'step (calls of the model)', unit: 'count' } as const;

function eachStep(name: string, values: Float64Array | undefined): readonly Series[] {
  if (values === undefined) return [];
  return [{ name, role: 'bound', points: Array.from(values, (value, step): Point => [step, value]) }];
}

/** What was so at a step is so at each later one: nothing that is paid or missed is taken back. */
function rising(soFar: readonly BoundSoFar[], key: 'faults' | 'cost'): readonly Series[] {
  if (soFar.length === 0) return [];
  let most = 0;
  const points = soFar.map((one): Point => [one.step, (most = Math.max(most, one[key]))]);
  return [{ name: `${BOUND_NAME} so far`, role: 'bound', draw: 'steps', points: [[0, 0], ...points] }];
}
