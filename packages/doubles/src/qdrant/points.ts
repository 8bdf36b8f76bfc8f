import { checkBatch, checkFilter } from './strict.js';
import { passes } from './filter.js';
import { keyOf, readId } from './ids.js';
import { wrongInput } from './refusal.js';
import type { Collection, Filter, Payload, StoredPoint } from './types.js';
import { normalised } from './vectors.js';

interface GivenPoint {
  readonly id: unknown;
  readonly vector: unknown;
  readonly payload?: Payload | null;
}

/** Checks all points, and gives what stores them. */
export function upsert(collection: Collection, given: readonly GivenPoint[]): () => void {
  checkBatch(collection, given.length);
  const version = collection.operations;
  const points = given.map(({ id, vector, payload }): StoredPoint => {
    const stored = { id: readId(id), vector: normalised(readVector(collection, vector)), version };
    return { ...stored, payload: payload ?? {} };
  });
  return () => {
    for (const point of points) collection.points.set(keyOf(point.id), point);
  };
}

export function readVector({ size }: Collection, given: unknown): Float32Array {
  if (!Array.isArray(given) || given.some((x) => typeof x !== 'number'))
    throw wrongInput('Not existing vector name error');
  if (given.length !== size)
    throw wrongInput(`Vector dimension error: expected dim: ${size}, got ${given.length}`);
  return Float32Array.from(given as number[]);
}

/** By ids or by a filter: which points are meant is seen when it is done. */
export function remove(
  collection: Collection,
  selector: { readonly points?: readonly unknown[]; readonly filter?: Filter },
): () => void {
  checkFilter(collection, selector.filter, 'update');
  const keys = selector.points?.map((id) => keyOf(readId(id)));
  return () => {
    const { points } = collection;
    const chosen =
      keys ?? [...points].flatMap(([key, point]) => (passes(selector.filter, point) ? [key] : []));
    for (const key of chosen) points.delete(key);
  };
}
