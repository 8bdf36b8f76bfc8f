/** What the cases ask of vectors. */
import type { EmbedderDriver } from '@pagefault/contracts';
import { holds, same } from '../check.js';
import type { EmbedderInstance } from './instance.js';

const USUAL_TOLERANCE = 1e-4;

/** Lengths are sums of hundreds of 32-bit squares. */
const LENGTH_TOLERANCE = 1e-3;

/** The vector of one text that is embedded alone. */
export async function vectorOf(driver: EmbedderDriver, text: string): Promise<Float32Array> {
  const [vector] = await driver.embed([text]);
  if (vector === undefined) throw new Error(`no vector for ${JSON.stringify(text.slice(0, 40))}`);
  return vector;
}

/** One vector a text, each of the dimension, finite and of length 1. */
export function sound({ driver }: EmbedderInstance, vectors: readonly Float32Array[], texts: number): void {
  same(vectors.length, texts);
  for (const [place, vector] of vectors.entries()) {
    holds(vector instanceof Float32Array, `vector ${place} is a Float32Array`);
    same([place, vector.length], [place, driver.supports.dimension]);
    const length = Math.sqrt(similarity(vector, vector));
    holds(Math.abs(length - 1) < LENGTH_TOLERANCE, `vector ${place} has the length ${length}, not 1`);
  }
}

/** One vector a text, and no number that is none. */
export function whole(vectors: readonly Float32Array[], texts: number): void {
  same(vectors.length, texts);
  for (const [place, vector] of vectors.entries())
    holds(vector.every(Number.isFinite), `vector ${place} holds what is no number`);
}

/** The cosine of unit vectors. NaN when a number is none. */
export function similarity(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, each, at) => sum + each * (b[at] ?? Number.NaN), 0);
}

export function alike(
  { tolerance = USUAL_TOLERANCE }: EmbedderInstance,
  actual: Float32Array | undefined,
  expected: Float32Array | undefined,
  what: string,
): void {
  const far = Math.max(
    ...Array.from(expected ?? [Number.NaN], (each, at) => Math.abs(each - (actual?.[at] ?? Number.NaN))),
  );
  holds(far <= tolerance, `${what}: a number differs by ${far}, more than ${tolerance}`);
}
