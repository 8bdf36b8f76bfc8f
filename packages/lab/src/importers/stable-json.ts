import { isRecord } from './source.js';

/** The same for the same value, whatever the order of its names. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_, one: unknown) => (isRecord(one) ? sorted(one) : one));
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
