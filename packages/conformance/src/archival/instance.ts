import type { ArchivalDriver, VectorEntry, VectorHit, VectorQuery } from '@pagefault/contracts';
import type { ConformanceCase } from '../case.js';
import { holds, same } from '../check.js';

export interface ArchivalInstance {
  readonly driver: ArchivalDriver;
  /** The length of every vector of this instance: at least 4. */
  readonly dimension: number;
  /**
   * Another driver on the same storage, for vectors of another length; the case opens and closes it. Left out by drivers
   * that keep nothing: then rebuilding is not tried.
   */
  resized?(dimension: number): ArchivalDriver;
}

export type ArchivalCase = ConformanceCase<ArchivalInstance>;

export const ADA = 'recall/01931c5e-8a00-7000-8000-00000000000a/fp';
export const BOB = 'recall/01931c5e-8a00-7000-8000-00000000000b/fp';

/** The numbers given, then zeros: so cosines are those of the numbers alone. */
export function vector(dimension: number, ...numbers: readonly number[]): Float32Array {
  const padded = new Float32Array(dimension);
  padded.set(numbers);
  return padded;
}

/** A unit vector in the plane, `degrees` away from the first axis. */
export function at(dimension: number, degrees: number): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  return vector(dimension, Math.cos(radians), Math.sin(radians));
}

export function entry(id: string, value: Float32Array, instant = 0): VectorEntry {
  return { id, vector: value, at: instant };
}

export async function ids(driver: ArchivalDriver, query: VectorQuery): Promise<string[]> {
  return (await driver.query(query)).map(({ id }) => id);
}

// Stores keep 32-bit floats, good to seven digits.
const TOLERANCE = 1e-5;

export function sameHits(
  actual: readonly VectorHit[],
  expected: readonly (readonly [string, number])[],
): void {
  same(
    actual.map(({ id }) => id),
    expected.map(([id]) => id),
  );
  for (const [i, { id, score }] of actual.entries()) {
    const wanted = expected[i]?.[1] ?? Number.NaN;
    holds(Math.abs(score - wanted) < TOLERANCE, `the score of ${id} is ${score}, not ${wanted}`);
  }
}
