import type { Posting } from '@pagefault/contracts';
import { groupPostings, inverseFrequency, termWeight, type CollectionTotals } from './bm25.js';
import { NEIGHBOURS, withNeighbours } from './context.js';
import { MAX_CANDIDATES } from './limits.js';

/** Which documents are worth scoring, found from postings alone. */
export interface Candidates {
  /** Ascending. May name positions just outside the collection: those have no row. */
  readonly ordinals: readonly number[];
  /** The candidates and their neighbours, ascending: the rows to fetch before scoring. */
  readonly rows: readonly number[];
  /**
   * No document that was left out scores more than this before the speaker's boost; 0 when none was.
   * A hit that scores more is as exact as if all had been scored.
   */
  readonly bound: number;
}

/**
 * The `limit` documents that could score highest, were each the shortest there is and all its neighbours
 * of its session. Exact when no more than `limit` have a term in their context. Of equals the newer stay.
 */
export function candidates(
  postings: readonly Posting[],
  totals: CollectionTotals,
  limit: number = MAX_CANDIDATES,
): Candidates {
  const bounds = upperBounds(postings, totals);
  if (bounds.size <= limit) return take([...bounds.keys()], 0);
  const ordered = [...bounds].sort(([a, x], [b, y]) => y - x || b - a);
  const kept = ordered.slice(0, limit).map(([ordinal]) => ordinal);
  return take(kept, ordered[limit]?.[1] ?? 0);
}

function take(ordinals: readonly number[], bound: number): Candidates {
  return { ordinals: ordinals.toSorted((a, b) => a - b), rows: withNeighbours(ordinals), bound };
}

function upperBounds(postings: readonly Posting[], totals: CollectionTotals): ReadonlyMap<number, number> {
  const bounds = new Map<number, number>();
  for (const counts of groupPostings(
    postings,
    postings.map(({ term }) => term),
  )) {
    const idf = inverseFrequency(counts.size, totals.documents);
    for (const [ordinal, count] of spread(counts)) {
      bounds.set(ordinal, (bounds.get(ordinal) ?? 0) + termWeight(count, 0, idf));
    }
  }
  return bounds;
}

/** The most that a term can count in each context. A neighbour before me has me as its neighbour after. */
function spread(counts: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const reached = new Map(counts);
  for (const [ordinal, count] of counts) {
    for (const { offset, weight } of NEIGHBOURS) {
      const other = ordinal - offset;
      if (other >= 0) reached.set(other, (reached.get(other) ?? 0) + weight * count);
    }
  }
  return reached;
}
