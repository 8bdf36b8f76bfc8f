import { refusal } from './errors.js';

// Nine decimals: a hundred times finer than a 32-bit score can tell, and half the bytes of a number written out.
const DECIMALS = 1e9;

/**
 * A vector scaled to length 1: the score is the cosine, which that leaves alone, and Qdrant's own 32-bit sums can then not
 * overflow or vanish, after which it would keep a vector that it cannot compare.
 * Errors: `E_DIMENSION`; `E_INVALID` for a vector without a direction (B16).
 */
export function unitVector(what: string, vector: Float32Array, dimension: number): number[] {
  const length = checkedLength(what, vector, dimension);
  return Array.from(vector, (x) => Math.round((x / length) * DECIMALS) / DECIMALS);
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
