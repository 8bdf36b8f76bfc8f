import type { Dense, Norm } from '../model/weights.js';

/** Row-major: `rows` rows of `data.length / rows` numbers. Sums are kept in double precision. */

/** A dense layer with its kernel turned to [outputs, inputs], so that both operands are read in order. */
export interface TurnedDense {
  readonly inputs: number;
  readonly outputs: number;
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
}

export function turn({ inputs, outputs, kernel, bias }: Dense): TurnedDense {
  const turned = new Float32Array(kernel.length);
  for (let i = 0; i < inputs; i++) {
    for (let o = 0; o < outputs; o++) turned[o * inputs + i] = kernel[i * outputs + o] ?? 0;
  }
  return { inputs, outputs, kernel: turned, bias };
}

/** `x * kernel + bias` for each row, four rows at a time so that each weight is loaded once for four. */
export function dense(layer: TurnedDense, x: Float32Array): Float32Array {
  const rows = x.length / layer.inputs;
  const y = new Float32Array(rows * layer.outputs);
  let row = 0;
  for (; row + 4 <= rows; row += 4) fourRows(layer, x, y, row);
  for (; row < rows; row++) oneRow(layer, x, y, row);
  return y;
}

function fourRows(
  { inputs, outputs, kernel, bias }: TurnedDense,
  x: Float32Array,
  y: Float32Array,
  row: number,
): void {
  const a = row * inputs;
  const b = a + inputs;
  const c = b + inputs;
  const d = c + inputs;
  for (let o = 0; o < outputs; o++) {
    let sumA = bias[o]!;
    let sumB = sumA;
    let sumC = sumA;
    let sumD = sumA;
    for (let i = 0, k = o * inputs; i < inputs; i++, k++) {
      const weight = kernel[k]!;
      sumA += x[a + i]! * weight;
      sumB += x[b + i]! * weight;
      sumC += x[c + i]! * weight;
      sumD += x[d + i]! * weight;
    }
    y[row * outputs + o] = sumA;
    y[(row + 1) * outputs + o] = sumB;
    y[(row + 2) * outputs + o] = sumC;
    y[(row + 3) * outputs + o] = sumD;
  }
}

function oneRow(
  { inputs, outputs, kernel, bias }: TurnedDense,
  x: Float32Array,
  y: Float32Array,
  row: number,
): void {
  for (let o = 0; o < outputs; o++) {
    let sum = bias[o]!;
    for (let i = 0; i < inputs; i++) sum += x[row * inputs + i]! * kernel[o * inputs + i]!;
    y[row * outputs + o] = sum;
  }
}

/** Each row to mean 0 and variance 1, then scaled and shifted. */
export function normalise({ scale, bias }: Norm, epsilon: number, x: Float32Array): Float32Array {
  const width = scale.length;
  const y = new Float32Array(x.length);
  for (let from = 0; from < x.length; from += width) {
    const row = x.subarray(from, from + width);
    const mean = row.reduce((sum, n) => sum + n, 0) / width;
    const variance = row.reduce((sum, n) => sum + (n - mean) ** 2, 0) / width;
    const factor = 1 / Math.sqrt(variance + epsilon);
    for (let i = 0; i < width; i++) y[from + i] = (row[i]! - mean) * factor * scale[i]! + bias[i]!;
  }
  return y;
}

export function add(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((n, i) => n + b[i]!);
}

/** In place: the numbers become positive and sum to 1. */
export function softmax(scores: Float64Array): void {
  const top = scores.reduce((most, n) => Math.max(most, n), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) sum += scores[i] = Math.exp(scores[i]! - top);
  for (let i = 0; i < scores.length; i++) scores[i] = scores[i]! / sum;
}

/** The same direction with length 1. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, n) => sum + n * n, 0));
  return vector.map((n) => n / length);
}

/** The mean of the rows. */
export function meanRow(x: Float32Array, width: number): Float32Array {
  const rows = x.length / width;
  const sums = new Float64Array(width);
  for (let i = 0; i < x.length; i++) sums[i % width] = sums[i % width]! + x[i]!;
  return Float32Array.from(sums, (sum) => sum / rows);
}
