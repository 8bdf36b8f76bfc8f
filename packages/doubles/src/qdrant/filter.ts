import { keyOf } from './ids.js';
import { wrongInput } from './refusal.js';
import type { Condition, FieldCondition, Filter, Payload, StoredPoint } from './types.js';

export function passes(filter: Filter | null | undefined, point: StoredPoint): boolean {
  if (!filter) return true;
  const holds = (condition: Condition): boolean => conditionHolds(condition, point);
  const should = listOf(filter.should);
  return (
    listOf(filter.must).every(holds) &&
    !listOf(filter.must_not).some(holds) &&
    (should.length === 0 || should.some(holds))
  );
}

function conditionHolds(condition: Condition, point: StoredPoint): boolean {
  if ('has_id' in condition) return condition.has_id.some((id) => keyOf(id) === keyOf(point.id));
  if ('key' in condition) return fieldHolds(condition, point.payload);
  if ('must' in condition || 'should' in condition || 'must_not' in condition)
    return passes(condition, point);
  throw wrongInput(`the double does not do the condition ${JSON.stringify(condition)}`);
}

function fieldHolds({ key, match, range }: FieldCondition, payload: Payload): boolean {
  const value = payload[key];
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  if (match) return values.some((one) => matches(match, one));
  if (range) return values.some((one) => isWithin(range, one));
  throw wrongInput(`the double does not do this condition on ${key}`);
}

function matches(match: NonNullable<FieldCondition['match']>, value: unknown): boolean {
  if (match.any) return match.any.includes(value);
  if (match.except) return value !== undefined && !match.except.includes(value);
  if (match.value === undefined) throw wrongInput('the double matches values only');
  return value === match.value;
}

/** A range of dates looks at dates only: numbers in the payload never pass it, and nobody is told (D10). */
function isWithin(range: NonNullable<FieldCondition['range']>, value: unknown): boolean {
  const bounds = Object.values(range).filter((bound) => bound !== null);
  const isOfDates = bounds.some((bound) => typeof bound === 'string');
  const comparable = isOfDates ? (typeof value === 'string' ? Date.parse(value) : Number.NaN) : value;
  if (typeof comparable !== 'number' || Number.isNaN(comparable)) return false;
  return Object.entries(range).every(([name, bound]) => {
    if (bound === null) return true;
    const limit = typeof bound === 'string' ? Date.parse(bound) : bound;
    return COMPARED[name as keyof typeof COMPARED](comparable, limit);
  });
}

const COMPARED = {
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
};

/** Every condition on a field, however deep it stands. */
export function fieldConditions(filter: Filter | null | undefined): FieldCondition[] {
  if (!filter) return [];
  const all = [filter.must, filter.should, filter.must_not].flatMap(listOf);
  return all.flatMap((condition) =>
    'key' in condition ? [condition] : 'has_id' in condition ? [] : fieldConditions(condition),
  );
}

function listOf<T extends object>(given: T | readonly T[] | null | undefined): readonly T[] {
  if (!given) return [];
  return Array.isArray(given) ? (given as readonly T[]) : [given as T];
}
