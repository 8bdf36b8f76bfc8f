import type { ArchivalDriver } from '@pagefault/contracts';
import { ADA, entry, vector } from './instance.js';

/** A harmless call of each operation. */
export function operations(
  driver: ArchivalDriver,
  dimension: number,
  signal?: AbortSignal,
): (() => Promise<unknown>)[] {
  const one = vector(dimension, 1);
  return [
    () => driver.upsert(ADA, [entry('a', one)], signal),
    () => driver.query({ scope: ADA, vector: one, limit: 1 }, signal),
    () => driver.remove(ADA, ['a'], signal),
    () => driver.count(ADA, signal),
    () => driver.list(ADA, { limit: 1 }, signal),
  ];
}
