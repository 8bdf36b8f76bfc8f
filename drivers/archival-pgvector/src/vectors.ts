import { refusal } from './errors.js';

// What a 32-bit float needs to come back exactly (FLT_DECIMAL_DIG).
const DIGITS = 9;

/**
 * A vector as pgvector reads it, scaled to length 1: the score is the cosine, which that leaves alone, and
 * pgvector's 32-bit sums can then not overflow.
 * Errors: `E_DIMENSION`; `E_INVALID` for a vector without a direction (B16).
 */
export function vectorText(what: string, vector: Float32Array, dimension: number): string {
  const length = checkedLength(what, vector, dimension);
  let text = '[';
  for (const [i, x] of vector.entries()) text += (i === 0 ? '' : ',') + shortest(x / length);
  return `${text}]`;
}

function shortest(x: number): string {
  return x === 0 ? '0' : x.toPrecision(DIGITS);
}

function checkedLength(what: string, vector: Float32Array, dimension: number): number {
  if (vector.length !== dimension) {
    throw refusal(
      'E_DIMENSION',
      `${what} has ${vector.length} numbers, the index has ${dimension}`,
      'use the embedder that the index was made for, or make a new index',
    );
  }
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  if (length > 0 && Number.isFinite(length)) return length;
  throw refusal(
    'E_INVALID',
    `${what} ${length === 0 ? 'is all zeros' : 'holds NaN or infinity'}`,
    'such a vector is the mark of a failed embedding: embed the text again',
  );
}
