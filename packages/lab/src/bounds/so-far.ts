/**
 * Bounds of the beginnings of a run: what every policy has paid and missed by a step, for what it did up to there is a run of
 * its own. Each step has its bound for itself; no one policy need meet all of them.
 */
import type { PriceRatios } from '../cost/tally.js';
import { pagingSetup } from '../paging/setup.js';
import type { PagingTrace } from '../trace/paging-trace.js';
import { certaintyOf } from './certainty.js';
import { firstLeaving } from './leavings.js';
import { type BoundedSetup, type LowerBounds, lowerBounds } from './lower-bounds.js';
import { leastAt } from './room.js';
import { bornAt, contextsOf, runningSums, type Timeline, timelineOf } from './timeline.js';

export interface BoundSoFar extends LowerBounds {
  /** The last that counts. */
  readonly step: number;
}

/** Of all steps up to one, that one too. Errors and time: those of `lowerBounds`. */
export function boundSoFar(
  trace: PagingTrace,
  setup: BoundedSetup,
  ratios: PriceRatios,
  step: number,
): BoundSoFar {
  return { step, ...lowerBounds(upTo(trace, step + 1), setup, ratios) };
}

/** As far as bounds look at a trace. */
function upTo(trace: PagingTrace, steps: number): PagingTrace {
  return {
    ...trace,
    tokens: trace.tokens.subarray(0, trace.bornStart[steps]),
    bornStart: trace.bornStart.subarray(0, steps + 1),
    times: trace.times.subarray(0, steps),
    replies: trace.replies.subarray(0, steps),
    needs: trace.needs.subarray(0, trace.needStart[steps]),
    needStart: trace.needStart.subarray(0, steps + 1),
  };
}

/** Steps at which a bound so far is worth its time: the last, and others evenly before it, `count` in all. */
export function stepsToBound({ times }: Pick<PagingTrace, 'times'>, count: number): readonly number[] {
  const steps = Array.from({ length: count }, (_, at) => Math.ceil(((at + 1) * times.length) / count) - 1);
  return [...new Set(steps)].filter((step) => step >= 0);
}

/** Of each step's request at least. */
export interface LeastRequests {
  /**
   * All, until a page may leave for the first time; then what never leaves, what is born for the step or needed by it, and
   * what is left of the rest.
   */
  readonly tokens: Float64Array;
  /** So far: what is born is new to the provider's cache, and so is all when that has gone cold. Nothing need be read. */
  readonly written: Float64Array;
}

/** Errors: `E_CONFIG` for a setup that makes no sense. */
export function leastRequests(trace: PagingTrace, given: BoundedSetup): LeastRequests {
  const setup = pagingSetup(given);
  const { isReadIn } = certaintyOf(setup);
  const lines = contextsOf(trace, setup).map((context) => timelineOf(context, setup));
  const tokens = Float64Array.from(lines.flatMap((line) => [...leastOf(line, isReadIn)]));
  const born = Float64Array.from(
    lines.flatMap((line) => Array.from(line.born, (_, step) => bornAt(line, step))),
  );
  const isCold = lines.flatMap((line) => [...line.isCold]);
  const written = runningSums(tokens.map((all, step) => (isCold[step] === 1 ? all : (born[step] ?? 0))));
  return { tokens, written: written.subarray(1) };
}

function leastOf(line: Timeline, isReadIn: boolean): Float64Array {
  const first = firstLeaving(line);
  const before = runningSums(line.born);
  return line.born.map((_, step) =>
    step < first ? (before[step + 1] ?? 0) + (line.fixed[step] ?? 0) : leastAt(line, step, isReadIn),
  );
}
