/** One run page by page: when it left, when it was needed again, and what its absence cost against keeping it. */
import { inputEquivalents, type PriceRatios, ratiosOf, type TokenTally } from '../cost/tally.js';
import type { PagingEvent } from '../paging/report.js';
import type { Chart, Mark, Series } from '../plots/chart.js';
import type { Contexts } from '../paging/setup.js';
import { kindOf, type PagingTrace } from '../trace/paging-trace.js';
import { sessionAt, sessionStarts } from '../trace/sessions.js';
import type { GridRow } from './cell.js';
import { type Experiment, number, warnings } from './experiment.js';
import { subtitleOf } from './facts.js';
import { kindOfRow } from './figures.js';
import type { Study } from './study.js';
import { type Column, column, type Row, shown, type Table } from './table.js';

const COLUMNS: readonly Column[] = [
  column('policy', 'policy', 'text'),
  column('page', 'page', 'count'),
  column('pageKind', 'kind of page', 'text'),
  column('tokens', 'tokens', 'tokens'),
  column('born', 'born at step', 'count'),
  column('evicted', 'evicted at', 'text'),
  column('needed', 'needed at', 'text'),
  column('faults', 'faults', 'count'),
  column('away', 'steps away', 'count'),
  column('cost', 'cost of faults (tokens)', 'tokens'),
  column('kept', 'cost of keeping (tokens)', 'tokens'),
  column('net', 'lost (tokens)', 'tokens'),
  column('dead', 'never needed again', 'flag'),
  column('kind', 'kind', 'text'),
  column('rankable', 'may be ranked', 'flag'),
];

export interface AuditOptions {
  readonly trace: PagingTrace;
  /** Of a call that asks for a page; 0 when there is none. */
  readonly faultOutput: number;
  readonly callPerFault: boolean;
  /** A page of a session that has ended is kept by nobody, where each has a context of its own. */
  readonly contexts: Contexts;
  /** What no policy can pay less than for all its faults, as `leastFaultCost` has it. Drawn, where it is known. */
  readonly leastFaultCost?: number;
}

/** The rows must have their events. */
export function auditStudy(experiment: Experiment, options: AuditOptions): Study {
  const { facts, notes, prices, rows } = experiment;
  const { rankable } = facts.judged;
  const own = rows.filter(({ policy }) => kindOfRow(policy) === 'policy');
  const subtitle = `${own.map(({ policy, budget }) => `${policy} at ${budget.toLocaleString('en-US')} tokens`).join(', ')}; ${subtitleOf(facts, 'one run ranks nothing')}`;
  const audited = rows.map((row) => auditRows(row, options, ratiosOf(prices), rankable));
  return {
    command: 'audit',
    title: 'Pages that left, and what their absence cost',
    subtitle,
    rankable,
    tables: [{ name: 'rows', title: 'Pages', columns: COLUMNS, rows: audited.flat() }],
    views: audited.filter((_, at) => kindOfRow(rows[at]?.policy ?? '') === 'policy').map(worst),
    charts: [lossChart(rows, audited, subtitle, options.leastFaultCost)],
    notes: [
      'what a page lost is the cost of its faults (the call that asks for it, and reading it in) less that of keeping it as a cached token at each step; rewriting the prefix at an eviction is shared by what stands behind it, and is in no row',
      ...notes,
      ...warnings({ rows: own }),
    ],
  };
}

interface Page {
  readonly evicted: number[];
  readonly needed: number[];
  cost: number;
  away: number;
  /** The step at which it left, or was missed and not read in; undefined while it is there. */
  awaySince: number | undefined;
}

/** Pages that left or were needed while away, the worst first. */
export function auditRows(
  { policy, report }: GridRow,
  { trace, faultOutput, callPerFault, contexts }: AuditOptions,
  ratios: PriceRatios,
  rankable: boolean,
): readonly Row[] {
  const pages = new Map<number, Page>();
  const pageOf = (page: number) => {
    const found = pages.get(page) ?? { evicted: [], needed: [], cost: 0, away: 0, awaySince: undefined };
    pages.set(page, found);
    return found;
  };
  for (const event of report.events) take(pageOf(event.page), event);
  const born = bornSteps(trace);
  const starts = contexts === 'session' ? sessionStarts(trace) : [0];
  const endAfter = (step: number) => starts[sessionAt(starts, step) + 1] ?? trace.times.length;
  const rows = [...pages].map(([page, { evicted, needed, cost, away, awaySince }]): Row => {
    const tokens = trace.tokens[page] ?? 0;
    const all = away + (awaySince === undefined ? 0 : endAfter(awaySince) - awaySince);
    const kept = ratios.read * tokens * all;
    return {
      policy,
      page,
      pageKind: kindOf(trace.kinds[page] ?? 0),
      tokens,
      born: born[page] ?? 0,
      evicted: evicted.join(' '),
      needed: needed.join(' '),
      faults: needed.length,
      away: all,
      cost,
      kept,
      net: cost - kept,
      dead: needed.length === 0,
      kind: kindOfRow(policy),
      rankable,
    };
  });
  return rows.toSorted((a, b) => number(b, 'net') - number(a, 'net'));

  function take(page: Page, event: PagingEvent): void {
    if (event.kind === 'eviction') {
      page.evicted.push(event.step);
      page.awaySince = event.step;
      return;
    }
    if (page.awaySince !== undefined) page.away += event.step - page.awaySince;
    // A page that was not read in is away still.
    page.awaySince = event.outcome === 'read in' ? undefined : event.step;
    page.needed.push(event.step);
    page.cost += inputEquivalents(billOf(event), ratios);
  }

  /** As the simulator bills it: nobody asks for what was not noticed, and what was not found is not written. */
  function billOf({ outcome, page, prompt }: Extract<PagingEvent, { kind: 'fault' }>): TokenTally {
    const asks = callPerFault && outcome !== 'unnoticed';
    const written = outcome === 'read in' ? (trace.tokens[page] ?? 0) : 0;
    return { read: asks ? prompt : 0, output: asks ? faultOutput : 0, written, plain: 0 };
  }
}

function bornSteps({ bornStart, times, tokens }: PagingTrace): Int32Array {
  const born = new Int32Array(tokens.length);
  for (let step = 0; step < times.length; step++) born.fill(step, bornStart[step], bornStart[step + 1]);
  return born;
}

const SEEN = 20;

function worst(rows: readonly Row[]): Table {
  const faulted = rows.filter(({ dead }) => dead === false);
  const dead = rows.length - faulted.length;
  const seen = faulted.slice(0, SEEN);
  return {
    name: 'worst',
    title: `The worst ${seen.length} of ${faulted.length} pages that were needed again; ${dead} that left never were`,
    columns: COLUMNS.filter(({ key }) => !['policy', 'dead', 'kind', 'rankable'].includes(key)),
    rows: seen,
  };
}

/**
 * The bound is of all faults together, the end of a line: of the dearest pages by themselves there is none, for which pages
 * are missed is the policy's choice.
 */
function lossChart(
  rows: readonly GridRow[],
  audited: readonly (readonly Row[])[],
  subtitle: string,
  least: number | undefined,
): Chart {
  const series = rows.map(({ policy }, at): Series => {
    let sum = 0;
    const faulted = (audited[at] ?? []).filter(({ dead }) => dead === false);
    const points = faulted
      .toSorted((a, b) => number(b, 'cost') - number(a, 'cost'))
      .map((row, n) => [n + 1, (sum += number(row, 'cost'))] as const);
    return { name: policy, role: kindOfRow(policy), points: [[0, 0], ...points] };
  });
  return {
    name: 'pages',
    title: 'What faults cost, the dearest pages first',
    subtitle,
    x: { title: 'pages that were needed while away', unit: 'count', least: 0 },
    y: { title: 'cost of their faults (input-token equivalents)', unit: 'tokens', least: 0 },
    series,
    ...(least !== undefined && { marks: [leastMark(least)] }),
  };
}

function leastMark(least: number): Mark {
  const name = `lower bound of all faults together: ${shown(least, 'tokens')}`;
  return { name, axis: 'y', at: least, role: 'bound' };
}
