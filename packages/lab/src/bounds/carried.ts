/**
 * What it costs at least to send again and again what has not left, and to keep or miss what is needed. Pages leave at times
 * only, at reclaims mostly, so what was born since the last one is in each request; and a reclaim comes only when the request
 * is full, of what was born, was read in, or was kept. So many rows of times are possible; the cheapest of them is found step
 * by step from the end, in steps times the steps that fill a request.
 */
import type { Tokens } from '@pagefault/contracts';
import type { PriceRatios } from '../cost/tally.js';
import type { PagingSetup } from '../paging/setup.js';
import type { Gaps } from './gaps.js';
import { firstLeaving, latestLeavings } from './leavings.js';
import { targetOf } from './room.js';
import { bornAt, type Gap, runningSums, stepRates, type Timeline } from './timeline.js';

/**
 * Input-token equivalents. Before pages may leave for the first time, all is the same for every policy, and exact. `kept`:
 * from 0 to 1, the share of what must have been kept for a reclaim to come so early that is counted where it is sent; the
 * rest of one is counted where a page is kept over a gap, and pays the gap's fee besides.
 */
export function carried(
  line: Timeline,
  setup: PagingSetup,
  ratios: PriceRatios,
  { gaps, fees, kept, most }: CarriedOptions,
): number {
  const first = firstLeaving(line);
  const rates = stepRates(line, ratios);
  const { visits, pairs } = effortOf(line);
  const rows = new LeavingRows(line, setup, rates, gaps, fees, kept, visits > most.visits);
  let cost = beforeLeaving(line, setup, ratios, first);
  cost += pairs > most.pairs ? rows.leastByStep(first) : rows.leastFrom(first);
  for (let step = first; step < line.steps; step++) {
    const rate = rates[step] ?? 0;
    cost += rate * (line.fixed[step] ?? 0) + Math.max(0, ratios.written - rate) * bornAt(line, step);
  }
  return cost;
}

export interface CarriedOptions {
  readonly gaps: Gaps;
  /** In the order of the gaps. */
  readonly fees: Float64Array;
  readonly kept: number;
  readonly most: Effort;
}

/** How much is looked at; a bound that would take more is a coarser one, and no less true. */
export interface Effort {
  /** Gaps, from each step on until pages must have left. Beyond: each gap is counted by itself, whenever pages may leave. */
  readonly visits: number;
  /** Of steps: one at which pages may leave, and one until the next time. Beyond: only what is born at a step is surely sent. */
  readonly pairs: number;
}

function effortOf(line: Timeline): Effort {
  const needs = runningSums(line.olderNeeded);
  let [visits, pairs] = [0, 0];
  for (const [step, until] of latestLeavings(line).entries()) {
    visits += (needs[Math.min(until + 1, line.steps)] ?? 0) - (needs[step + 1] ?? 0);
    pairs += until - step;
  }
  return { visits, pairs };
}

/** Each request begins with the one before. */
function beforeLeaving(
  line: Timeline,
  { cache: { granule, least } }: PagingSetup,
  { read, written }: PriceRatios,
  end: number,
): number {
  let [cost, sent] = [0, 0];
  for (let step = 0; step < end; step++) {
    const known = line.isCold[step] === 1 || sent < least ? 0 : sent - (sent % granule);
    sent += bornAt(line, step);
    cost += read * known + written * (sent - known);
  }
  return cost;
}

class LeavingRows {
  readonly #line: Timeline;
  readonly #setup: PagingSetup;
  readonly #gaps: Gaps;
  readonly #fees: Float64Array;
  readonly #kept: number;
  readonly #rates: Float64Array;
  /** Gaps are counted each by itself, and whatever is needed may be read in. */
  readonly #isCoarse: boolean;
  /** Before each step: births of all kinds, and needs. */
  readonly #bornBefore: Float64Array;
  readonly #needsBefore: Float64Array;
  /** The first gap that ends at each step. */
  readonly #ends: Int32Array;

  constructor(
    line: Timeline,
    setup: PagingSetup,
    rates: Float64Array,
    gaps: Gaps,
    fees: Float64Array,
    kept: number,
    isCoarse: boolean,
  ) {
    this.#isCoarse = isCoarse;
    this.#line = line;
    this.#setup = setup;
    this.#gaps = gaps;
    this.#fees = fees;
    this.#kept = kept;
    this.#rates = rates;
    this.#bornBefore = runningSums(line.born.map((_, step) => bornAt(line, step)));
    this.#needsBefore = runningSums(line.olderNeeded);
    this.#ends = new Int32Array(line.steps + 1).fill(gaps.all.length);
    for (let at = gaps.all.length - 1, step = line.steps; step >= 0; step--) {
      while (at >= 0 && (gaps.all[at]?.to ?? 0) >= step) at--;
      this.#ends[step] = at + 1;
    }
  }

  /** When pages may leave at that step. */
  leastFrom(first: number): number {
    const { steps } = this.#line;
    const least = new Float64Array(steps + 1);
    for (let step = steps - 1; step >= first; step--) least[step] = this.#leastAt(step, least);
    return (least[first] ?? 0) + (this.#isCoarse ? this.#ofAllGaps() : 0);
  }

  /** The same, coarsely: whenever pages may leave, what is born at a step is in its request. */
  leastByStep(first: number): number {
    let cost = this.#ofAllGaps();
    for (let step = first; step < this.#line.steps; step++)
      cost += (this.#rates[step] ?? 0) * (this.#line.born[step] ?? 0);
    return cost;
  }

  #ofAllGaps(): number {
    const choices = this.#gaps.costs(1 - this.#kept);
    return choices.reduce((sum, { keep, miss }, at) => sum + Math.min(keep + (this.#fees[at] ?? 0), miss), 0);
  }

  /** Of all steps at which pages may leave next, or never. */
  #leastAt(last: number, least: Float64Array): number {
    const { born, fixed, isOpen, leaving, steps } = this.#line;
    const [most, stays] = [this.#mostAt(last), (fixed[last] ?? 0) + (born[last] ?? 0)];
    let [best, cost, since, rates, readIn] = [Infinity, 0, 0, 0, 0];
    for (let next = last + 1; next <= steps; next++) {
      const rate = this.#rates[next - 1] ?? 0;
      since += born[next - 1] ?? 0;
      rates += rate;
      cost += rate * since;
      if (next === steps) break;
      const prompt = (fixed[next] ?? 0) + since + (born[next] ?? 0);
      const needed = this.#neededAt(next, last, prompt);
      cost += needed.cost;
      readIn += needed.readIn;
      const came = (this.#bornBefore[next + 1] ?? 0) - (this.#bornBefore[last + 1] ?? 0);
      const full = isOpen ? 0 : (leaving[next] ?? 0) - came - readIn;
      const kept = this.#kept * rates * Math.max(0, full - stays);
      if (full < most || isOpen) best = Math.min(best, cost + kept + (least[next] ?? 0));
      // By now what was born alone is more than a request may hold.
      if (prompt > (leaving[next] ?? 0)) return best;
    }
    return Math.min(best, cost);
  }

  /** When pages may have left at `last`, and not since. */
  #neededAt(step: number, last: number, prompt: Tokens): { readonly cost: number; readonly readIn: Tokens } {
    if (this.#isCoarse) return { cost: 0, readIn: this.#line.needed[step] ?? 0 };
    let [cost, readIn] = [0, 0];
    for (let at = this.#ends[step] ?? 0; at < (this.#ends[step + 1] ?? 0); at++) {
      const gap = this.#gaps.all[at];
      if (!gap) continue;
      cost += this.#costOf(gap, this.#fees[at] ?? 0, last, prompt);
      if (this.#mayBeAway(gap, last)) readIn += gap.tokens;
    }
    return { cost, readIn };
  }

  /** Whether what a gap ends with may have been away, when pages may have left at `last` and not since. */
  #mayBeAway(gap: Gap, last: number): boolean {
    // Where needs do not always bring a page in, it may have been away before.
    return gap.from < last || !this.#gaps.isReadIn;
  }

  #costOf(gap: Gap, fee: number, last: number, prompt: Tokens): number {
    const share = 1 - this.#kept;
    const keep = this.#gaps.keeping(gap, share, last > gap.birth ? last : undefined) + fee;
    return this.#mayBeAway(gap, last) ? Math.min(keep, this.#gaps.missing(gap, share, prompt)) : keep;
  }

  /** Tokens of the request after pages may have left, at most: the target, or what may not leave. */
  #mostAt(last: number): Tokens {
    const { born, fixed, mostLeft, needed, older, threshold } = this.#line;
    const { masking, remains } = this.#setup;
    const open = (fixed[last] ?? 0) + (born[last] ?? 0) + (needed[last] ?? 0);
    // A page leaves a tombstone each time it leaves, and comes back only when it is needed.
    const left = mostLeft * ((older[last] ?? 0) + (this.#needsBefore[last + 1] ?? 0));
    const summary = remains.kind === 'summary' ? remains.most : 0;
    const held = masking ? Math.max(targetOf(this.#setup), threshold[last] ?? 0) : targetOf(this.#setup);
    return Math.max(held, open + left) + summary;
  }
}
