/** A vector and how much of its text it stands for. */
export interface Weighted {
  readonly vector: Float32Array;
  readonly weight: number;
}

/** The mean of unit vectors by weight, brought to length 1. When they cancel out, the heaviest stands for all. */
export function pool(parts: readonly Weighted[]): Float32Array {
  const sum = new Float64Array(parts[0]?.vector.length ?? 0);
  for (const { vector, weight } of parts) {
    const scale = weight / lengthOf(vector);
    vector.forEach((each, at) => (sum[at] = (sum[at] ?? 0) + each * scale));
  }
  const length = lengthOf(sum);
  if (length > 0) return Float32Array.from(sum, (each) => each / length);
  const heaviest = parts.reduce((best, part) => (part.weight > best.weight ? part : best));
  return pool([heaviest]);
}

function lengthOf(vector: Float32Array | Float64Array): number {
  // By squares one after the other: a call with thousands of arguments costs more.
  let squares = 0;
  for (const each of vector) squares += each * each;
  return Math.sqrt(squares);
}
