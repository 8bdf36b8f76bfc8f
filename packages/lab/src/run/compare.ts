/** Policies against the first of them, session by session: the same needs under each, so that differences are paired. */
import { ratiosOf } from '../cost/tally.js';
import type { TokenPrices, Tokens } from '@pagefault/contracts';
import type { LowerBounds } from '../bounds/lower-bounds.js';
import type { Chart, Mark, Series } from '../plots/chart.js';
import type { GridRow } from './cell.js';
import { subtitleOf } from './facts.js';
import { BOUND_NAME, kindOfRow } from './figures.js';
import { number } from './experiment.js';
import { type ComparedTrace, KEYS, PAIRED, pairedRows } from './paired.js';
import { signTest } from './sign-test.js';
import type { Study } from './study.js';
import { type Column, column, type Row, shown, type Table } from './table.js';

export interface Comparison {
  readonly traces: readonly ComparedTrace[];
  readonly prices: TokenPrices;
  readonly notes: readonly string[];
}

const SUMMED: readonly Column[] = [
  ...KEYS,
  column('moreFaults', 'more faults', 'count'),
  column('fewer', 'sessions with fewer', 'count'),
  column('asMany', 'as many', 'count'),
  column('more', 'more', 'count'),
  column('faultsByChance', 'by chance', 'share'),
  column('moreCost', 'more cost (tokens)', 'tokens'),
  column('moreCostShare', 'more cost', 'share'),
  column('cheaper', 'sessions cheaper', 'count'),
  column('dearer', 'dearer', 'count'),
  column('costByChance', 'by chance', 'share'),
];
const PAGES: readonly Column[] = [
  column('trace', 'trace', 'text'),
  ...KEYS,
  column('page', 'page', 'count'),
  column('tokens', 'tokens', 'tokens'),
  column('faults', 'faults', 'count'),
  column('moreFaults', 'more faults', 'count'),
];

/** The first policy is the one that others are held against. */
export function compareStudy({ traces, prices, notes }: Comparison): Study {
  const ratios = ratiosOf(prices);
  const baseline = traces[0]?.rows[0]?.policy ?? '';
  const rankable = traces.every(({ facts }) => facts.judged.rankable);
  const subtitle = `against ${baseline}; ${traces.map(({ facts }) => subtitleOf(facts, 'may be ranked')).join('; ')}`;
  const paired = traces.flatMap((one) => pairedRows(one, baseline, ratios));
  const pages = traces.flatMap((one) => pageRows(one, baseline));
  const summed = [...summedRows(paired, baseline), ...boundRows(traces, paired, baseline)];
  return {
    command: 'compare',
    title: 'Policies side by side',
    subtitle,
    rankable,
    tables: [
      { name: 'rows', title: 'Each session', columns: PAIRED, rows: paired },
      { name: 'summary', title: 'All sessions', columns: SUMMED, rows: summed },
      { name: 'pages', title: 'Pages with more or fewer faults', columns: PAGES, rows: pages },
    ],
    views: [
      { name: 'summary', title: `All sessions against ${baseline}`, columns: SUMMED, rows: summed },
      decisive(pages),
    ],
    charts: [...new Set(paired.map((row) => number(row, 'budget')))].map((budget) =>
      differenceChart(paired, summed, { budget, baseline, subtitle }),
    ),
    notes: [
      ...notes,
      '"by chance": how often sessions would be as uneven if each policy had the better of it as often (sign test, two-sided)',
      ...(rankable
        ? []
        : [
            "there are too few needs to say which policy is better: differences here may be a few pages' luck",
          ]),
    ],
  };
}

/** Of all sessions together; how many sessions have fewer or more says nothing of a bound. */
function boundRows(
  traces: readonly ComparedTrace[],
  paired: readonly Row[],
  baseline: string,
): readonly Row[] {
  const all = traces.flatMap(({ bounds = [] }) => bounds);
  return [...new Set(all.map(({ budget }) => budget))].map((budget): Row => {
    const each = all.filter((one) => one.budget === budget).flatMap((one) => one.each);
    const base = paired.filter((row) => row['policy'] === baseline && row['budget'] === budget);
    const more = (key: keyof LowerBounds) =>
      each.reduce((sum, one) => sum + one[key], 0) - base.reduce((sum, row) => sum + number(row, key), 0);
    const before = base.reduce((sum, row) => sum + number(row, 'cost'), 0);
    return {
      budget,
      policy: BOUND_NAME,
      moreFaults: more('faults'),
      moreCost: more('cost'),
      moreCostShare: before === 0 ? null : more('cost') / before,
    };
  });
}

function summedRows(paired: readonly Row[], baseline: string): readonly Row[] {
  const keys = [...new Set(paired.map(({ budget, policy }) => JSON.stringify([budget, policy])))];
  return keys.flatMap((key): readonly Row[] => {
    const [budget, policy] = JSON.parse(key) as [number, string];
    if (policy === baseline || policy === BOUND_NAME) return [];
    const own = paired.filter((row) => row['budget'] === budget && row['policy'] === policy);
    const sum = (name: string) => own.reduce((all, row) => all + number(row, name), 0);
    const signs = (name: string) =>
      [
        own.filter((row) => number(row, name) < 0).length,
        own.filter((row) => number(row, name) > 0).length,
      ] as const;
    const [fewer, more] = signs('moreFaults');
    const [cheaper, dearer] = signs('moreCost');
    const before = sum('cost') - sum('moreCost');
    return [
      {
        budget,
        policy,
        moreFaults: sum('moreFaults'),
        fewer,
        asMany: own.length - fewer - more,
        more,
        faultsByChance: signTest(fewer, more),
        moreCost: sum('moreCost'),
        moreCostShare: before === 0 ? null : sum('moreCost') / before,
        cheaper,
        dearer,
        costByChance: signTest(cheaper, dearer),
      },
    ];
  });
}

/** Pages whose faults differ, the largest difference in tokens first. */
function pageRows({ trace, facts, rows }: ComparedTrace, baseline: string): readonly Row[] {
  const counts = ({ report }: GridRow) => {
    const faults = new Map<number, number>();
    for (const { kind, page } of report.events)
      if (kind === 'fault') faults.set(page, (faults.get(page) ?? 0) + 1);
    return faults;
  };
  const bases = new Map(
    rows.filter(({ policy }) => policy === baseline).map((row) => [row.budget, counts(row)]),
  );
  return rows
    .filter(({ policy }) => policy !== baseline && kindOfRow(policy) === 'policy')
    .flatMap((row) => {
      const [own, base] = [counts(row), bases.get(row.budget) ?? new Map<number, number>()];
      const differing = [...new Set([...own.keys(), ...base.keys()])].filter(
        (page) => own.get(page) !== base.get(page),
      );
      return differing.map((page): Row => ({
        trace: facts.id,
        budget: row.budget,
        policy: row.policy,
        page,
        tokens: trace.tokens[page] ?? 0,
        faults: own.get(page) ?? 0,
        moreFaults: (own.get(page) ?? 0) - (base.get(page) ?? 0),
      }));
    })
    .toSorted((a, b) => weight(b) - weight(a));
}

const weight = (row: Row) => Math.abs(number(row, 'moreFaults')) * number(row, 'tokens');
const SEEN = 20;

function decisive(rows: readonly Row[]): Table {
  const seen = rows.slice(0, SEEN);
  return {
    name: 'pages',
    title: `The ${seen.length} of ${rows.length} pages that decided most, by faults times tokens`,
    columns: PAGES,
    rows: seen,
  };
}

/**
 * Sessions in the order of the difference, each policy by itself, and the bound too: where it is below each session's cost,
 * it is so in any order. Sessions that share a context have a bound of all together alone, a line across.
 */
function differenceChart(
  paired: readonly Row[],
  summed: readonly Row[],
  {
    budget,
    baseline,
    subtitle,
  }: { readonly budget: Tokens; readonly baseline: string; readonly subtitle: string },
): Chart {
  const rows = paired.filter((row) => row['budget'] === budget && row['policy'] !== baseline);
  const policies = [...new Set(rows.map((row) => String(row['policy'])))];
  const bound = summed.find((row) => row['budget'] === budget && row['policy'] === BOUND_NAME);
  const isShared = bound !== undefined && !policies.includes(BOUND_NAME);
  return {
    name: `compare-${budget}`,
    title: `More cost than ${baseline}, session by session, at ${shown(budget, 'tokens')} tokens`,
    subtitle,
    x: { title: 'sessions, in the order of the difference', unit: 'count', least: 1 },
    y: { title: `cost against ${baseline} (% more)`, unit: 'ratio' },
    series: policies.map((name): Series => {
      const shares = rows
        .filter((row) => row['policy'] === name)
        .map((row) => Number(row['moreCostShare'] ?? 0) * 100);
      return {
        name,
        role: kindOfRow(name),
        points: shares.toSorted((a, b) => a - b).map((share, at) => [at + 1, share] as const),
      };
    }),
    marks: [{ name: '', axis: 'y', at: 0, role: 'limit' }, ...(isShared ? [sharedMark(bound)] : [])],
  };
}

function sharedMark(bound: Row): Mark {
  const at = number(bound, 'moreCostShare') * 100;
  return { name: `${BOUND_NAME} of all sessions together`, axis: 'y', at, role: 'bound' };
}
