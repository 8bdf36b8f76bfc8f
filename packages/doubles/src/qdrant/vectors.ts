/** Cosine as the service does it: vectors are scaled when they are stored, and the score is their product, in 32 bits. */

const EPSILON = 1.1920929e-7;

/** Vectors of length 0 or 1 stay as they are, so that a vector of zeros scores 0 with everything. */
export function normalised(vector: Float32Array): Float32Array {
  const square = Math.fround(vector.reduce((sum, x) => sum + x * x, 0));
  if (square < EPSILON || Math.abs(square - 1) <= 1e-6) return vector.slice();
  const length = Math.sqrt(square);
  return vector.map((x) => x / length);
}

export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return Math.fround(sum);
}
