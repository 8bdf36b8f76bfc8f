import type { Unit } from '../run/table.js';

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
const WHOLE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
/** Counts up to here are told in full. */
const MOST_WHOLE = 10_000;

/** `32k`, as budgets are given, and `1.2M` for a million: axes have no room. */
export function tick(value: number | string, unit: Unit): string {
  if (typeof value === 'string') return value;
  if (unit === 'count' && Math.abs(value) < MOST_WHOLE) return WHOLE.format(value);
  return COMPACT.format(value).replace('K', 'k');
}
