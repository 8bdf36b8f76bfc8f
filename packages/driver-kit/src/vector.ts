import { PagefaultError, type Scope } from '@pagefault/contracts';

/**
 * The Euclidean length of a vector that an index can keep: never 0. Errors: `E_DIMENSION`; `E_INVALID` for a vector without
 * a direction (B16).
 */
export function lengthOf(driver: string, what: string, vector: Float32Array, dimension: number): number {
  if (vector.length !== dimension) {
    throw new PagefaultError(
      'E_DIMENSION',
      `${what} has ${vector.length} numbers, the index has ${dimension}`,
      { driver, hint: 'use the embedder that the index was made for, or make a new index' },
    );
  }
  const length = Math.sqrt(sumOfSquares(vector));
  if (length > 0 && Number.isFinite(length)) return length;
  throw new PagefaultError(
    'E_INVALID',
    `${what} ${length === 0 ? 'is all zeros' : 'holds NaN or infinity'}`,
    { driver, hint: 'such a vector is the mark of a failed embedding: embed the text again' },
  );
}

/** By place: `reduce` takes twelve times as long, an iterator four times; it was a fifth of a bulk load. */
function sumOfSquares(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) sum += (vector[i] ?? 0) ** 2;
  return sum;
}

/** No operation works on all tenants at once (B35). Errors: `E_INVALID`. */
export function checkScope(driver: string, operation: string, scope: Scope): void {
  if (scope !== '') return;
  throw new PagefaultError('E_INVALID', `${operation}: the scope is empty`, {
    driver,
    hint: 'name the tenant’s scope: nothing works on all of them at once',
  });
}
