import type { ArchivalDriver, VectorEntry } from '@pagefault/contracts';
import { quoteIdentifier, type SqlPort } from '@pagefault/driver-kit';
import { makeIndex } from '../../src/hnsw.js';
import { prepare } from '../../src/schema.js';

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

/** Vectors in heaps, as those of sentences are: `spread` is how far from the middle of their heap. */
export class Heaps {
  readonly #next: () => number;
  readonly #middles: readonly Float32Array[];
  readonly #dimension: number;

  constructor(dimension: number, heaps = 50, seed = 7) {
    this.#next = createNumbers(seed);
    this.#dimension = dimension;
    this.#middles = Array.from({ length: heaps }, () => this.#random(1));
  }

  vector(spread = 0.5, heap = Math.floor(this.#next() * this.#middles.length)): Float32Array {
    const middle = this.#middles[heap] ?? new Float32Array(this.#dimension);
    return this.#random(spread).map((x, i) => x + (middle[i] ?? 0));
  }

  entries(prefix: string, count: number, spread = 0.5, heap?: number): VectorEntry[] {
    return Array.from({ length: count }, (_, i) => ({
      id: `${prefix}${String(i).padStart(6, '0')}`,
      vector: this.vector(spread, heap),
      at: i,
    }));
  }

  #random(size: number): Float32Array {
    return Float32Array.from({ length: this.#dimension }, () => (this.#next() - 0.5) * size);
  }
}

export async function makeIndexNow(sql: SqlPort, schema: string, dimension: number): Promise<void> {
  await makeIndex(sql, await prepare(sql, schema, dimension), dimension, new AbortController().signal);
}

/** Until the index is there. */
export async function indexed(sql: SqlPort, schema: string): Promise<void> {
  const name = `${quoteIdentifier(schema)}.vectors_by_meaning`;
  for (;;) {
    const { rows } = await sql.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      name,
    ]);
    if (rows[0]?.there === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function idsOf(
  driver: ArchivalDriver,
  scope: string,
  vector: Float32Array,
  limit: number,
): Promise<string[]> {
  return (await driver.query({ scope, vector, limit })).map(({ id }) => id);
}
