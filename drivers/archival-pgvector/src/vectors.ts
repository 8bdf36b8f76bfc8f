import type { VectorEntry } from '@pagefault/contracts';
import { lengthOf } from '@pagefault/driver-kit';
import { NAME } from './errors.js';

// What a 32-bit float needs to come back exactly (FLT_DECIMAL_DIG).
const DIGITS = 9;

/** An entry that may be written: its vector has the right number of numbers, and a direction. */
export interface CheckedEntry extends VectorEntry {
  /** Euclidean; more than 0. */
  readonly length: number;
}

/** All are checked before anything is written. Of two with one id the last one stays (B30). */
export function checkEntries(entries: readonly VectorEntry[], dimension: number): CheckedEntry[] {
  const byId = new Map<string, CheckedEntry>();
  for (const entry of entries) {
    const length = lengthOf(NAME, `the vector of ${entry.id}`, entry.vector, dimension);
    byId.set(entry.id, { ...entry, length });
  }
  return [...byId.values()];
}

/** As `unitText`. Errors: `E_DIMENSION`; `E_INVALID` for a vector without a direction (B16). */
export function vectorText(what: string, vector: Float32Array, dimension: number): string {
  return unitText({ vector, length: lengthOf(NAME, what, vector, dimension) });
}

/**
 * A vector as pgvector reads it, scaled to length 1: the score is the cosine, which that leaves alone, and
 * pgvector's 32-bit sums can then not overflow.
 */
export function unitText({ vector, length }: Pick<CheckedEntry, 'vector' | 'length'>): string {
  let text = '[';
  for (const [i, x] of vector.entries()) text += (i === 0 ? '' : ',') + shortest(Math.fround(x / length));
  return `${text}]`;
}

function shortest(x: number): string {
  return x === 0 ? '0' : x.toPrecision(DIGITS);
}
