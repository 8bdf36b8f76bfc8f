/** Policies against the first of them, session by session: the same needs under each, so that differences are paired. */
import { inputEquivalents, type PriceRatios, ratiosOf } from '../cost/tally.js';
import type { Chart, Series } from '../plots/chart.js';
import type { TokenPrices } from '@pagefault/contracts';
import type { PagingTrace } from '../trace/paging-trace.js';
import { sessionStarts } from '../trace/sessions.js';
import type { GridRow } from './cell.js';
import { type TraceFacts, subtitleOf } from './facts.js';
import { kindOfRow } from './figures.js';
import { number } from './experiment.js';
import { signTest } from './sign-test.js';
import type { Study } from './study.js';
import { type Column, column, type Row, type Table } from './table.js';

export interface ComparedTrace {
  readonly trace: PagingTrace;
  readonly facts: TraceFacts;
  /** With their events and each of their steps; of one budget for each policy. */
  readonly rows: readonly GridRow[];
}

export interface Comparison {
  readonly traces: readonly ComparedTrace[];
  readonly prices: TokenPrices;
  readonly notes: readonly string[];
}

const KEYS = [column('budget', 'budget (tokens)', 'tokens'), column('policy', 'policy', 'text')];
const PAIRED: readonly Column[] = [
  column('trace', 'trace', 'text'),
  column('session', 'session', 'count'),
  ...KEYS,
  column('needs', 'needs', 'count'),
  column('faults', 'faults', 'count'),
  column('moreFaults', 'more faults', 'count'),
  column('cost', 'cost (tokens)', 'tokens'),
  column('moreCost', 'more cost (tokens)', 'tokens'),
  column('moreCostShare', 'more cost', 'share'),
  column('kind', 'kind', 'text'),
  column('rankable', 'may be ranked', 'flag'),
];
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
  const summed = summedRows(paired, baseline);
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
      differenceChart(paired, budget, baseline, subtitle),
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

interface SessionFigures {
  readonly needs: number;
  readonly faults: number;
  readonly cost: number;
}

/** Of each session of a run. */
export function sessionFigures(
  trace: PagingTrace,
  { report }: GridRow,
  ratios: PriceRatios,
): readonly SessionFigures[] {
  const starts = [...sessionStarts(trace), trace.times.length];
  const costBefore = (step: number) => {
    const record = report.made[step - 1];
    return record === undefined ? 0 : inputEquivalents(record.billed, ratios);
  };
  const faultsBefore = (step: number) => report.made[step - 1]?.faults ?? 0;
  return starts.slice(1).map((end, at) => {
    const start = starts[at] ?? 0;
    return {
      needs: (trace.needStart[end] ?? 0) - (trace.needStart[start] ?? 0),
      faults: faultsBefore(end) - faultsBefore(start),
      cost: costBefore(end) - costBefore(start),
    };
  });
}

function pairedRows(
  { trace, facts, rows }: ComparedTrace,
  baseline: string,
  ratios: PriceRatios,
): readonly Row[] {
  const bases = new Map(
    rows
      .filter(({ policy }) => policy === baseline)
      .map((row) => [row.budget, sessionFigures(trace, row, ratios)]),
  );
  return rows.flatMap((row) =>
    sessionFigures(trace, row, ratios).map(({ needs, faults, cost }, session): Row => {
      const base = bases.get(row.budget)?.[session] ?? { faults, cost };
      return {
        trace: facts.id,
        session,
        budget: row.budget,
        policy: row.policy,
        needs,
        faults,
        moreFaults: faults - base.faults,
        cost,
        moreCost: cost - base.cost,
        moreCostShare: base.cost === 0 ? null : cost / base.cost - 1,
        kind: kindOfRow(row.policy),
        rankable: facts.judged.rankable,
      };
    }),
  );
}

function summedRows(paired: readonly Row[], baseline: string): readonly Row[] {
  const keys = [...new Set(paired.map(({ budget, policy }) => JSON.stringify([budget, policy])))];
  return keys.flatMap((key): readonly Row[] => {
    const [budget, policy] = JSON.parse(key) as [number, string];
    if (policy === baseline) return [];
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

/** Sessions in the order of the difference, each policy by itself. */
function differenceChart(paired: readonly Row[], budget: number, baseline: string, subtitle: string): Chart {
  const rows = paired.filter((row) => row['budget'] === budget && row['policy'] !== baseline);
  const policies = [...new Set(rows.map((row) => String(row['policy'])))];
  return {
    name: `compare-${budget}`,
    title: `More cost than ${baseline}, session by session, at ${budget.toLocaleString('en-US')} tokens`,
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
    marks: [{ name: baseline, axis: 'y', at: 0, role: 'limit' }],
  };
}
