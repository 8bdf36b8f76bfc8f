import { lengthOf } from '@pagefault/driver-kit';
import { NAME } from './errors.js';

// Nine decimals: a hundred times finer than a 32-bit score can tell, and half the bytes of a number written out.
const DECIMALS = 1e9;

/**
 * A vector scaled to length 1: the score is the cosine, which that leaves alone, and Qdrant's own 32-bit sums can then not
 * overflow or vanish, after which it would keep a vector that it cannot compare.
 * Errors: `E_DIMENSION`; `E_INVALID` for a vector without a direction (B16).
 */
export function unitVector(what: string, vector: Float32Array, dimension: number): number[] {
  const length = lengthOf(NAME, what, vector, dimension);
  return Array.from(vector, (x) => Math.round((x / length) * DECIMALS) / DECIMALS);
}
