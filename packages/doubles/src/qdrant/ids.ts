import { formatError } from './refusal.js';
import type { PointId } from './types.js';

const UUID = /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i;

/** Ids are unsigned integers or UUIDs; anything else is refused, in the service's words (B17). */
export function readId(given: unknown): PointId {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given;
  const parts = typeof given === 'string' ? UUID.exec(given) : null;
  if (parts) return parts.slice(1).join('-').toLowerCase();
  throw formatError(
    `value ${String(given)} is not a valid point ID, valid values are either an unsigned integer or a UUID`,
  );
}

export function keyOf(id: PointId): string {
  return typeof id === 'number' ? `n${String(id).padStart(20, '0')}` : `u${id}`;
}
