import { lengthOf } from '@pagefault/driver-kit';
import { NAME } from './errors.js';

// What a 32-bit float needs to come back exactly (FLT_DECIMAL_DIG).
const DIGITS = 9;

/**
 * A vector as pgvector reads it, scaled to length 1: the score is the cosine, which that leaves alone, and
 * pgvector's 32-bit sums can then not overflow.
 * Errors: `E_DIMENSION`; `E_INVALID` for a vector without a direction (B16).
 */
export function vectorText(what: string, vector: Float32Array, dimension: number): string {
  const length = lengthOf(NAME, what, vector, dimension);
  let text = '[';
  for (const [i, x] of vector.entries()) text += (i === 0 ? '' : ',') + shortest(x / length);
  return `${text}]`;
}

function shortest(x: number): string {
  return x === 0 ? '0' : x.toPrecision(DIGITS);
}
