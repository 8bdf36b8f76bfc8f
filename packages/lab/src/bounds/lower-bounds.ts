/**
 * What no policy can do better, faults and cost, in a simulation with the same trace and setup. `farthestNeed` is no such
 * bound: with sizes the best choice is NP-hard to find, and it looks at no prices. Here it is not found either, but sums are
 * that no choice can be below:
 *
 * - each page is kept from one use to the next or missed; what is kept takes room, and room is scarce: `dual.ts`, `room.ts`;
 * - pages leave at reclaims alone, so what was born is sent again and again until one comes: `carried.ts`.
 *
 * With pages of one size that leave one by one the bound of faults is MIN, or so near that rounding up makes it so.
 */
import { PagefaultError, type TokenPrices, type TokenRates } from '@pagefault/contracts';
import type { PriceRatios } from '../cost/tally.js';
import { type PagingSetup, pagingSetup } from '../paging/setup.js';
import type { PagingTrace } from '../trace/paging-trace.js';
import { carried, type Effort } from './carried.js';
import { priceRoom } from './dual.js';
import { Gaps } from './gaps.js';
import { type Context, contextsOf, timelineOf } from './timeline.js';

export interface LowerBounds {
  /** Needs that are faults under every policy, so many at least. */
  readonly faults: number;
  /** Input-token equivalents of all that is billed, at least. */
  readonly cost: number;
}

/** Of what must have been kept for a reclaim to come so early, the shares that are tried; each makes a true bound. */
const KEPT_SHARES = [0, 0.5, 1];
/** About a second for each share. */
const MOST: Effort = { visits: 2e7, pairs: 2e8 };

export type BoundedSetup = Partial<Omit<PagingSetup, 'budget'>> & Pick<PagingSetup, 'budget'>;

/**
 * Holds for `simulatePaging` with any policy, this setup and any seed. Where a fault may go unnoticed (`notice`) or its page
 * unfound (`recall`), it is a fault all the same, but its cost is counted only as far as it is sure: the bound of the cost is
 * weak there. Where a summary may meet a need (`retention` above 0), or prefetch bring a page in before it is missed, all
 * needs could be met so: the bound of faults is 0. A need of a page of another session's context is a fault not counted.
 *
 * The ratios are of one band of prices; for two bands take `leastRates`. Time: some hundred times needs and steps, fewer
 * where there are very many, plus steps by the steps that fill a request and the needs in them; `most` of those, and beyond
 * them a coarser bound of the cost, still true. Errors: `E_CONFIG` for a setup that makes no sense, or ratios that are no prices.
 */
export function lowerBounds(
  trace: PagingTrace,
  given: BoundedSetup,
  ratios: PriceRatios,
  most: Partial<Effort> = {},
): LowerBounds {
  const each = contextBounds(trace, given, ratios, most);
  const sum = (name: keyof LowerBounds) => each.reduce((all, one) => all + one[name], 0);
  return { faults: sum('faults'), cost: sum('cost') };
}

/** The same of each context by itself: of each session, or of all of them in one. Errors: those of `lowerBounds`. */
export function contextBounds(
  trace: PagingTrace,
  given: BoundedSetup,
  ratios: PriceRatios,
  most: Partial<Effort> = {},
): readonly LowerBounds[] {
  const setup = pagingSetup(given);
  checkRatios(ratios);
  return contextsOf(trace, setup).map((context) => boundsOf(context, setup, ratios, { ...MOST, ...most }));
}

/**
 * What all faults cost at least, as an audit counts them: the call that asks for a page, and the page, written. No policy
 * pays less for its faults, but one may pay more for keeping. Holds as `lowerBounds` does. Errors: the same.
 */
export function leastFaultCost(trace: PagingTrace, given: BoundedSetup, ratios: PriceRatios): number {
  const setup = pagingSetup(given);
  checkRatios(ratios);
  return contextsOf(trace, setup).reduce((sum, context) => {
    const gaps = new Gaps(timelineOf(context, setup), setup, ratios);
    return sum + Math.max(0, priceRoom(gaps.faultCosts(), gaps.limits).sum);
  }, 0);
}

function checkRatios(ratios: PriceRatios): void {
  for (const name of ['read', 'written', 'output'] as const) {
    if (!(ratios[name] >= 0 && ratios[name] < Infinity))
      throw new PagefaultError(
        'E_CONFIG',
        `the ratio ${name} is ${ratios[name]}; it must be a number from 0 on`,
      );
  }
}

function boundsOf(context: Context, setup: PagingSetup, ratios: PriceRatios, most: Effort): LowerBounds {
  const line = timelineOf(context, setup);
  const gaps = new Gaps(line, setup, ratios);
  // A whole number, so what is more than one is two; what is so little more is how sums of fractions are.
  const faults = Math.max(0, Math.ceil(priceRoom(gaps.faults(), gaps.limits).sum - 1e-6));
  const costs = KEPT_SHARES.map((kept) => {
    const { fees, rent } = priceRoom(gaps.costs(1 - kept), gaps.limits);
    return carried(line, setup, ratios, { gaps, fees, kept, most }) - rent;
  });
  const said = context.trace.replies.reduce((sum, tokens) => sum + tokens, 0) * ratios.output;
  return { faults, cost: said + gaps.summarising() + Math.max(...costs) };
}

/**
 * Of prices in two bands the lower ones, under which nothing costs more than it does: the bound of the cost in money is
 * `cost` at the ratios of these, times their input price.
 */
export function leastRates({ long, ...short }: TokenPrices): TokenRates {
  const least = (name: keyof TokenRates) => Math.min(short[name], long?.[name] ?? Infinity);
  return {
    input: least('input'),
    cached: least('cached'),
    written: least('written'),
    output: least('output'),
  };
}
