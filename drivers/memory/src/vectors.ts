import { type Instant, type VectorEntry, type VectorHit, type VectorQuery } from '@pagefault/contracts';
import { lengthOf } from '@pagefault/driver-kit';
import { NAME } from './errors.js';
import { byCodeUnits } from './order.js';

/** Our own copy, so that the caller may use its array again. */
export interface StoredVector {
  readonly id: string;
  readonly at: Instant;
  readonly vector: Float32Array;
  /** Euclidean, never 0. */
  readonly length: number;
}

/** Errors: `E_DIMENSION`, `E_INVALID`. */
export function storedVector({ id, at, vector }: VectorEntry, dimension: number): StoredVector {
  const length = lengthOf(NAME, `the vector of ${id}`, vector, dimension);
  return { id, at, vector: vector.slice(), length };
}

/** Best first; equal scores by id in code units. Errors: `E_DIMENSION`, `E_INVALID`. */
export function nearest(
  stored: Iterable<StoredVector>,
  { vector, limit, since, until }: VectorQuery,
  dimension: number,
): readonly VectorHit[] {
  const length = lengthOf(NAME, 'the query vector', vector, dimension);
  const hits: VectorHit[] = [];
  for (const entry of stored) {
    const isInTime = (since === undefined || entry.at >= since) && (until === undefined || entry.at < until);
    if (isInTime) hits.push({ id: entry.id, score: score(vector, entry.vector, length * entry.length) });
  }
  hits.sort((a, b) => b.score - a.score || byCodeUnits(a.id, b.id));
  return hits.slice(0, limit);
}

// Rounding can push a cosine just past 1, and a score must stay in [0, 1].
function score(a: Float32Array, b: Float32Array, lengths: number): number {
  let product = 0;
  for (let i = 0; i < a.length; i += 1) product += (a[i] ?? 0) * (b[i] ?? 0);
  return Math.min(1, Math.max(0, (1 + product / lengths) / 2));
}
