import type { Tokens } from '@pagefault/contracts';
import type { PriceRatios } from '../cost/tally.js';
import { type PagingSetup, reclaimAbove } from '../paging/setup.js';
import type { PagingTrace } from '../trace/paging-trace.js';
import { sessionsOf, sessionStarts } from '../trace/sessions.js';

/** From one use of a page to the next, its birth being the first: it is there at both, and in between when it was kept. */
export interface Gap {
  readonly birth: number;
  /** The steps of the two uses. */
  readonly from: number;
  readonly to: number;
  readonly tokens: Tokens;
}

/** What a trace brings to each step whatever the policy does. Tokens, by step. */
export interface Timeline {
  readonly steps: number;
  readonly gaps: readonly Gap[];
  /** Of all pages up to this step that never leave: pinned, or no larger than what would be left of them. */
  readonly fixed: Float64Array;
  /** Born for this step and free to leave later. */
  readonly born: Float64Array;
  /** 1 where any page is born: what is read in then stands behind it, and is new to the cache. */
  readonly hasBirth: Uint8Array;
  /** Needed by this step, born before it, and free to leave; each page once. */
  readonly needed: Float64Array;
  /** How many pages that are free to leave were born before this step, and how many of them it needs. */
  readonly older: Float64Array;
  readonly olderNeeded: Float64Array;
  /** What is left of a page that left: at least, and at most. */
  readonly leastLeft: Tokens;
  readonly mostLeft: Tokens;
  /** The request's time is beyond the cache's since the last one, or there is none: all of it is written. */
  readonly isCold: Uint8Array;
  /** A reclaim begins above so many tokens. */
  readonly threshold: Float64Array;
  /** Pages may leave when the request would hold more than so many tokens: the same, but for masking. */
  readonly leaving: Float64Array;
  /** Pages may come in that no gap tells of: by prefetch, or from another session. */
  readonly isOpen: boolean;
}

/** One context's steps, which begin with an empty request. */
export interface Context {
  readonly trace: PagingTrace;
  /** Milliseconds since the step before its first. */
  readonly wait: number;
  readonly needsOthers: boolean;
}

export function contextsOf(trace: PagingTrace, { contexts }: PagingSetup): readonly Context[] {
  if (contexts === 'one') return [{ trace, wait: Infinity, needsOthers: false }];
  const starts = sessionStarts(trace);
  return sessionsOf(trace).map((session, at) => {
    const [first = 0, end = trace.times.length] = [starts[at], starts[at + 1]];
    const needs = (trace.needStart[end] ?? 0) - (trace.needStart[first] ?? 0);
    const wait = (trace.times[first] ?? 0) - (trace.times[first - 1] ?? -Infinity);
    return { trace: session, wait, needsOthers: needs > session.needs.length };
  });
}

export function timelineOf({ trace, wait, needsOthers }: Context, setup: PagingSetup): Timeline {
  const steps = trace.times.length;
  const { budget, cache, masking, prefetch, remains } = setup;
  const tombstone = remains.kind === 'tombstone' ? remains.tokens : 0;
  const column = () => new Float64Array(steps);
  const line = {
    steps,
    gaps: [] as Gap[],
    fixed: column(),
    born: column(),
    hasBirth: Uint8Array.from(trace.times, (_, at) =>
      (trace.bornStart[at + 1] ?? 0) > (trace.bornStart[at] ?? 0) ? 1 : 0,
    ),
    needed: column(),
    older: column(),
    olderNeeded: column(),
    leastLeft: Math.min(tombstone, masking?.tokens ?? tombstone),
    mostLeft: Math.max(tombstone, masking?.tokens ?? tombstone),
    isCold: Uint8Array.from(trace.times, (now, at) =>
      now - (trace.times[at - 1] ?? -Infinity) > cache.timeToLive ? 1 : 0,
    ),
    threshold: column(),
    leaving: column(),
    isOpen: needsOthers || prefetch.kind !== 'none',
  };
  for (let step = 0; step < steps; step++) {
    // The first request of a context is new as a whole, also where the cache is warm.
    const isCold = step === 0 ? wait > cache.timeToLive : line.isCold[step] === 1;
    const threshold = reclaimAbove(setup, isCold);
    line.threshold[step] = threshold;
    line.leaving[step] = Math.min(threshold, masking ? budget * masking.above : Infinity);
  }
  fill(trace, line);
  return line;
}

type Open = { -readonly [Key in keyof Timeline]: Timeline[Key] } & { gaps: Gap[] };

function fill(trace: PagingTrace, line: Open): void {
  const births = new Int32Array(trace.tokens.length);
  const uses = new Int32Array(trace.tokens.length);
  const staysFor = (page: number) => trace.pinned[page] === 1 || (trace.tokens[page] ?? 0) <= line.leastLeft;
  let [fixed, older] = [0, 0];
  for (let step = 0; step < line.steps; step++) {
    line.older[step] = older;
    for (let page = trace.bornStart[step] ?? 0; page < (trace.bornStart[step + 1] ?? 0); page++) {
      const tokens = trace.tokens[page] ?? 0;
      births[page] = uses[page] = step;
      if (staysFor(page)) fixed += tokens;
      else {
        line.born[step] = (line.born[step] ?? 0) + tokens;
        older++;
      }
    }
    line.fixed[step] = fixed;
    for (let at = trace.needStart[step] ?? 0; at < (trace.needStart[step + 1] ?? 0); at++) {
      const page = trace.needs[at] ?? 0;
      const from = uses[page] ?? 0;
      // A page that this step brought, or needed before, is there.
      if (from === step || staysFor(page)) continue;
      uses[page] = step;
      const tokens = trace.tokens[page] ?? 0;
      line.gaps.push({ birth: births[page] ?? 0, from, to: step, tokens });
      line.needed[step] = (line.needed[step] ?? 0) + tokens;
      line.olderNeeded[step] = (line.olderNeeded[step] ?? 0) + 1;
    }
  }
}

/** Born for a step, of all kinds. */
export function bornAt({ born, fixed }: Timeline, step: number): Tokens {
  return (born[step] ?? 0) + (fixed[step] ?? 0) - (fixed[step - 1] ?? 0);
}

/** What a token of a request costs at each step at least: one that was sent before, while the cache is warm. */
export function stepRates({ isCold }: Timeline, { read, written }: PriceRatios): Float64Array {
  return Float64Array.from(isCold, (cold) => (cold === 1 ? written : Math.min(read, written)));
}

/** Of the values before each place, and of all of them. */
export function runningSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [at, value] of values.entries()) sums[at + 1] = (sums[at] ?? 0) + value;
  return sums;
}
