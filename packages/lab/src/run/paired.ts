/** Runs and their bounds session by session, each beside the run that others are held against. */
import type { Tokens } from '@pagefault/contracts';
import type { LowerBounds } from '../bounds/lower-bounds.js';
import { inputEquivalents, type PriceRatios } from '../cost/tally.js';
import type { PagingTrace } from '../trace/paging-trace.js';
import { sessionStarts } from '../trace/sessions.js';
import type { GridRow } from './cell.js';
import type { TraceFacts } from './facts.js';
import { BOUND_NAME, kindOfRow } from './figures.js';
import { type Column, column, type Row } from './table.js';

export interface ComparedTrace {
  readonly trace: PagingTrace;
  readonly facts: TraceFacts;
  /** With their events and each of their steps; of one budget for each policy. */
  readonly rows: readonly GridRow[];
  /** What no policy can do better, one a budget; of each session where each has a context of its own, else of all in one. */
  readonly bounds?: readonly { readonly budget: Tokens; readonly each: readonly LowerBounds[] }[];
}

export const KEYS = [column('budget', 'budget (tokens)', 'tokens'), column('policy', 'policy', 'text')];
export const PAIRED: readonly Column[] = [
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
  const costBefore = (step: number) => {
    const record = report.made[step - 1];
    return record === undefined ? 0 : inputEquivalents(record.billed, ratios);
  };
  const faultsBefore = (step: number) => report.made[step - 1]?.faults ?? 0;
  return sessionSteps(trace).map(([start, end]) => {
    return {
      needs: needsIn(trace, start, end),
      faults: faultsBefore(end) - faultsBefore(start),
      cost: costBefore(end) - costBefore(start),
    };
  });
}

/** The first step of each session, and the one after its last. */
function sessionSteps(trace: PagingTrace): readonly (readonly [number, number])[] {
  const starts = sessionStarts(trace);
  return starts.map((start, at) => [start, starts[at + 1] ?? trace.times.length]);
}

const needsIn = ({ needStart }: PagingTrace, start: number, end: number) =>
  (needStart[end] ?? 0) - (needStart[start] ?? 0);

export function pairedRows(
  { trace, facts, rows, bounds = [] }: ComparedTrace,
  baseline: string,
  ratios: PriceRatios,
): readonly Row[] {
  const steps = sessionSteps(trace);
  const runs = rows.map((row) => {
    return { policy: row.policy, budget: row.budget, figures: sessionFigures(trace, row, ratios) };
  });
  const least = bounds
    .filter(({ each }) => each.length === steps.length)
    .map(({ budget, each }) => {
      const figures = steps.map(([start, end], at) => {
        const { faults, cost } = each[at] ?? { faults: 0, cost: 0 };
        return { needs: needsIn(trace, start, end), faults, cost };
      });
      return { policy: BOUND_NAME, budget, figures };
    });
  const bases = new Map(
    runs.filter(({ policy }) => policy === baseline).map(({ budget, figures }) => [budget, figures]),
  );
  return [...runs, ...least].flatMap(({ policy, budget, figures }) =>
    figures.map(({ needs, faults, cost }, session): Row => {
      const base = bases.get(budget)?.[session] ?? { faults, cost };
      return {
        trace: facts.id,
        session,
        budget,
        policy,
        needs,
        faults,
        moreFaults: faults - base.faults,
        cost,
        moreCost: cost - base.cost,
        moreCostShare: base.cost === 0 ? null : cost / base.cost - 1,
        kind: kindOfRow(policy),
        rankable: facts.judged.rankable,
      };
    }),
  );
}
