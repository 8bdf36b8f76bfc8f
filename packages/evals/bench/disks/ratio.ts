/** Two ways to do one thing, measured turn about, so that what else the machine does befalls both. */

export interface Ratio {
  /** Medians, in milliseconds. */
  readonly ours: number;
  readonly bare: number;
  /** Ours to bare, of the medians. */
  readonly ratio: number;
  /** Where the ratio lies in 95 of 100 samples that are drawn from the measurements with replacement. */
  readonly from: number;
  readonly to: number;
}

const SAMPLES = 1_000;

export function ratioOf(ours: readonly number[], bare: readonly number[]): Ratio {
  const next = createNumbers(1);
  const drawn = Array.from({ length: SAMPLES }, () => median(draw(ours, next)) / median(draw(bare, next)));
  const [a, b] = [median(ours), median(bare)];
  return { ours: a, bare: b, ratio: a / b, from: quantile(drawn, 0.025), to: quantile(drawn, 0.975) };
}

export const median = (times: readonly number[]): number => quantile(times, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function draw(values: readonly number[], next: () => number): number[] {
  return values.map(() => values[Math.floor(next() * values.length)] ?? Number.NaN);
}

/** Mulberry32, so that a run can be had again. */
export function createNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
