/** One run step by step: what is resident, what faults, what leaves, and what is read from and written to the cache. */
import { type PriceRatios, ratiosOf, inputEquivalents, NO_TOKENS, type TokenTally } from '../cost/tally.js';
import type { StepRecord } from '../paging/report.js';
import type { Chart, Mark, Point, Series } from '../plots/chart.js';
import type { GridRow } from './cell.js';
import { type Experiment, warnings } from './experiment.js';
import { subtitleOf } from './facts.js';
import { kindOfRow } from './figures.js';
import type { Study } from './study.js';
import { type Column, column, type Row, type Table } from './table.js';

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

/** The rows must have each of their steps. The first is looked at; what knows the needs to come is drawn beside it. */
export function timelineStudy(experiment: Experiment): Study {
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
    charts: charts(experiment, ratios, subtitle),
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

function charts({ rows, bounds }: Experiment, ratios: PriceRatios, subtitle: string): readonly Chart[] {
  const x = { title: 'step (calls of the model)', unit: 'count' } as const;
  const over =
    (valueOf: (record: StepRecord) => number) =>
    (row: GridRow): Series => ({
      name: row.policy,
      role: kindOfRow(row.policy),
      points: row.report.made.map((record): Point => [record.step, valueOf(record)]),
    });
  const of = (
    name: string,
    title: string,
    y: string,
    series: readonly Series[],
    marks: readonly Mark[],
  ): Chart => ({
    name,
    title,
    subtitle,
    x,
    y: { title: y, unit: 'tokens', least: 0 },
    series,
    marks,
  });
  const budget = rows[0]?.budget ?? 0;
  const bound = bounds.find((one) => one.budget === budget);
  const least = (at: number | undefined): readonly Mark[] =>
    at === undefined ? [] : [{ name: 'lower bound of all steps', axis: 'y', at, role: 'bound' }];
  const limit: Mark = { name: 'budget', axis: 'y', at: budget, role: 'limit' };
  return [
    of('resident', 'Tokens of each request', 'resident (tokens)', rows.map(over(({ tokens }) => tokens)), [
      limit,
    ]),
    of(
      'faults',
      'Faults so far',
      'faults so far',
      rows.map(over(({ faults }) => faults)),
      least(bound?.faults),
    ),
    of(
      'cost',
      'Cost so far',
      'cost so far (input-token equivalents)',
      rows.map(over(({ billed }) => inputEquivalents(billed, ratios))),
      least(bound?.cost),
    ),
    of(
      'cache',
      'Read from the cache and written to it so far',
      'tokens so far',
      rows.flatMap((row) => [
        { ...over(({ billed }) => billed.read)(row), name: `${row.policy}: read` },
        { ...over(({ billed }) => billed.written)(row), name: `${row.policy}: written` },
      ]),
      [],
    ),
  ];
}
