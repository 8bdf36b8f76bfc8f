import { PagefaultError, type Posting } from '@pagefault/contracts';
import { inverseFrequency, termWeight, wideFrequency, wideWeight, type CollectionTotals } from './bm25.js';
import { NEIGHBOURS, withNeighbours } from './context.js';
import { type Holders, holdersOf } from './holders.js';
import { MAX_CANDIDATES, MAX_ORDINAL, WEIGHTS_BEFORE, WIDE_REACH } from './limits.js';

/** Which documents are worth scoring, found from postings alone. */
export interface Candidates {
  /** Ascending. May name positions just outside the collection: those have no row. */
  readonly ordinals: readonly number[];
  /** The candidates and their neighbours, ascending: the rows to fetch before scoring. */
  readonly rows: readonly number[];
  /**
   * No document that was left out scores more than this before the speaker's boost; 0 when none was.
   * A hit that scores more is as exact as if all had been scored, but for its wider context: there, only the candidates
   * and their neighbours count.
   */
  readonly bound: number;
  /** What else has a term in its context, ascending. */
  readonly left: readonly number[];
}

export interface Choice {
  /** How many at most. Default `MAX_CANDIDATES`. */
  readonly limit?: number;
  /** Choose from these alone. */
  readonly among?: ReadonlySet<number>;
}

/**
 * The `limit` documents that could score highest, were each the shortest there is and all its neighbours
 * of its session. Exact when no more than `limit` have a term in their context. Of equals the newer stay.
 * Errors: `E_STORAGE` for an ordinal over `MAX_ORDINAL`: they are dense by contract, and arrays go by them.
 */
export function candidates(
  postings: readonly Posting[],
  totals: CollectionTotals,
  { limit = MAX_CANDIDATES, among }: Choice = {},
): Candidates {
  const bounds = upperBounds(postings, totals);
  const reached: number[] = [];
  for (const [ordinal, bound] of bounds.entries()) {
    if (bound > 0 && (among === undefined || among.has(ordinal))) reached.push(ordinal);
  }
  if (reached.length <= limit)
    return { ordinals: reached, rows: withNeighbours(reached), bound: 0, left: [] };
  const ordered = Float64Array.from(reached, (ordinal) => bounds[ordinal] ?? 0).sort();
  const ordinals = best(reached, bounds, ordered.at(-limit) ?? 0, limit);
  const chosen = new Set(ordinals);
  const left = reached.filter((ordinal) => !chosen.has(ordinal) && ordinal < totals.documents);
  return { ordinals, rows: withNeighbours(ordinals), bound: ordered.at(-limit - 1) ?? 0, left };
}

/** All above the cut, and of those at the cut the newest, as many as there is room for. */
function best(
  reached: readonly number[],
  bounds: Float64Array,
  cut: number,
  limit: number,
): readonly number[] {
  const above = reached.filter((ordinal) => (bounds[ordinal] ?? 0) > cut);
  const level = reached.filter((ordinal) => bounds[ordinal] === cut);
  return [...above, ...level.slice(above.length - limit)].sort((a, b) => a - b);
}

function upperBounds(postings: readonly Posting[], totals: CollectionTotals): Float64Array {
  const terms = holdersOf(postings);
  const size = sizeFor(terms);
  const bounds = new Float64Array(size);
  const wide = new Float64Array(size);
  const own = new Float64Array(size);
  for (const holders of terms) {
    own.fill(0);
    for (const [i, ordinal] of holders.ordinals.entries()) own[ordinal] = holders.counts[i] ?? 0;
    addBounds(bounds, own, inverseFrequency(holders.ordinals.length, totals.documents));
    addWideBounds(wide, own, wideFrequency(holders, totals.documents));
  }
  // Who is reached by no term in its own context is not found by what is talked about.
  return bounds.map((bound, ordinal) => (bound > 0 ? bound + (wide[ordinal] ?? 0) : 0));
}

function addBounds(bounds: Float64Array, own: Float64Array, frequency: number): void {
  for (let ordinal = 0; ordinal < own.length; ordinal += 1) {
    const count = mostInContext(own, ordinal);
    if (count > 0) bounds[ordinal] = (bounds[ordinal] ?? 0) + termWeight(count, 0, frequency);
  }
}

/** Were all within reach of its session. */
function addWideBounds(bounds: Float64Array, own: Float64Array, frequency: number): void {
  let count = 0;
  for (let ordinal = -WIDE_REACH; ordinal < own.length; ordinal += 1) {
    count += (own[ordinal + WIDE_REACH] ?? 0) - (own[ordinal - WIDE_REACH - 1] ?? 0);
    if (ordinal >= 0 && count > 0) bounds[ordinal] = (bounds[ordinal] ?? 0) + wideWeight(count, frequency);
  }
}

/** The most that a term can count in the context of a document. */
function mostInContext(own: Float64Array, ordinal: number): number {
  let count = own[ordinal] ?? 0;
  for (const { offset, weight } of NEIGHBOURS) count += weight * (own[ordinal + offset] ?? 0);
  return count;
}

function sizeFor(terms: readonly Holders[]): number {
  const highest = Math.max(-1, ...terms.map(({ ordinals }) => ordinals.at(-1) ?? -1));
  if (highest <= MAX_ORDINAL) return highest < 0 ? 0 : highest + 1 + WEIGHTS_BEFORE.length;
  throw new PagefaultError('E_STORAGE', `a posting has ordinal ${highest}; the limit is ${MAX_ORDINAL}`, {
    hint: 'ordinals are dense from 0: check how the recall driver numbers documents',
  });
}
