/**
 * What it costs at least to send again and again what has not left. Pages leave at reclaims only, so what was born since
 * the last one is in each request; and a reclaim comes only when the request is full, of what was born, was read in, or was
 * kept. So many rows of reclaims are possible; the cheapest of them is found step by step from the end, in steps times the
 * births that fill a request.
 */
import type { Tokens } from '@pagefault/contracts';
import type { PriceRatios } from '../cost/tally.js';
import type { PagingSetup } from '../paging/setup.js';
import { targetOf } from './room.js';
import { firstReclaimOf } from './reclaims.js';
import { stepRates, runningSums, type Timeline } from './timeline.js';

/**
 * Input-token equivalents of what never leaves and of what was born since the last reclaim, births included; before the
 * first reclaim, which is the same for all, exactly. `kept`: the share of what must have been kept for a reclaim to come so
 * early that is counted here, from 0 to 1. What is kept over gaps may be counted elsewhere with the rest of one.
 */
export function carried(line: Timeline, setup: PagingSetup, ratios: PriceRatios, kept: number): number {
  const first = firstReclaimOf(line);
  const rates = stepRates(line, ratios);
  let cost =
    beforeReclaims(line, setup, ratios, first) + new ReclaimRows(line, setup, rates, kept).leastFrom(first);
  for (let step = first; step < line.steps; step++) {
    const rate = rates[step] ?? 0;
    cost += rate * (line.fixed[step] ?? 0) + Math.max(0, ratios.written - rate) * bornAt(line, step);
  }
  return cost;
}

/** Of all kinds. */
function bornAt({ born, fixed }: Timeline, step: number): Tokens {
  return (born[step] ?? 0) + (fixed[step] ?? 0) - (fixed[step - 1] ?? 0);
}

/** Each request begins with the one before. */
function beforeReclaims(
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

class ReclaimRows {
  readonly #line: Timeline;
  readonly #setup: PagingSetup;
  readonly #kept: number;
  readonly #rates: Float64Array;
  /** Before each step: rates, births of all kinds, and needs. */
  readonly #ratesBefore: Float64Array;
  readonly #bornBefore: Float64Array;
  readonly #neededBefore: Float64Array;
  readonly #needsBefore: Float64Array;

  constructor(line: Timeline, setup: PagingSetup, rates: Float64Array, kept: number) {
    this.#line = line;
    this.#setup = setup;
    this.#kept = kept;
    this.#rates = rates;
    this.#ratesBefore = runningSums(rates);
    this.#bornBefore = runningSums(line.born.map((_, step) => bornAt(line, step)));
    this.#neededBefore = runningSums(line.needed);
    this.#needsBefore = runningSums(line.olderNeeded);
  }

  /** With a reclaim at that step. */
  leastFrom(first: number): number {
    const { steps } = this.#line;
    const least = new Float64Array(steps + 1);
    for (let step = steps - 1; step >= first; step--) least[step] = this.#leastAt(step, least);
    return least[first] ?? 0;
  }

  /** Of all steps at which the next reclaim may come, or none. */
  #leastAt(reclaim: number, least: Float64Array): number {
    const { born, fixed, steps, threshold } = this.#line;
    const most = this.#mostAt(reclaim);
    let [best, carry, since] = [Infinity, 0, 0];
    for (let next = reclaim + 1; next <= steps; next++) {
      since += born[next - 1] ?? 0;
      carry += (this.#rates[next - 1] ?? 0) * since;
      if (next === steps) return Math.min(best, carry);
      const came = between(this.#bornBefore, reclaim + 1, next + 1);
      const full = (threshold[next] ?? 0) - came - between(this.#neededBefore, reclaim + 1, next + 1);
      if (full < most) {
        const kept = Math.max(0, full - (fixed[reclaim] ?? 0) - (born[reclaim] ?? 0));
        const rates = between(this.#ratesBefore, reclaim, next);
        best = Math.min(best, carry + this.#kept * kept * rates + (least[next] ?? 0));
      }
      // By now what was born alone is more than a request may hold.
      if ((fixed[next] ?? 0) + since + (born[next] ?? 0) > (threshold[next] ?? 0)) return best;
    }
    return Math.min(best, carry);
  }

  /** Tokens of the request after a reclaim, at most: the target, or what may not leave. */
  #mostAt(reclaim: number): Tokens {
    const { born, fixed, needed, older, tombstone } = this.#line;
    const { remains } = this.#setup;
    const open = (fixed[reclaim] ?? 0) + (born[reclaim] ?? 0) + (needed[reclaim] ?? 0);
    // A page leaves a tombstone each time it leaves, and comes back only when it is needed.
    const left = tombstone * ((older[reclaim] ?? 0) + (this.#needsBefore[reclaim + 1] ?? 0));
    const summary = remains.kind === 'summary' ? remains.most : 0;
    return Math.max(targetOf(this.#setup), open + left) + summary;
  }
}

function between(before: Float64Array, from: number, to: number): number {
  return (before[to] ?? 0) - (before[from] ?? 0);
}
