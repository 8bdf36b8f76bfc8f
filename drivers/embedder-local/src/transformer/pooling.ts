import type { Pooling } from '../options.js';

/** The vectors of the tokens of one text, row by row, and which of them are tokens rather than padding. */
export interface TokenVectors {
  readonly numbers: ArrayLike<number>;
  /** Numbers a token. */
  readonly width: number;
  readonly isToken: readonly boolean[];
}

/** One vector of length 1. A text has at least one token. */
export function poolTokens(states: TokenVectors, pooling: Exclude<Pooling, 'graph'>): Float32Array {
  const tokens = states.isToken.flatMap((is, place) => (is ? [place] : []));
  const chosen = { mean: tokens, cls: tokens.slice(0, 1), last: tokens.slice(-1) }[pooling];
  const sum = new Float64Array(states.width);
  for (const place of chosen) {
    for (let i = 0; i < states.width; i++)
      sum[i] = (sum[i] ?? 0) + (states.numbers[place * states.width + i] ?? Number.NaN);
  }
  return toUnit(sum);
}

export function toUnit(vector: Float64Array | Float32Array): Float32Array {
  let squares = 0;
  for (const n of vector) squares += n * n;
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (n) => n / length);
}
