import { PagefaultError } from '@pagefault/contracts';
import { NAME } from './errors.js';

export interface FrozenCopy<T> {
  readonly value: T;
  /** Bytes of the JSON text, in UTF-8. */
  readonly bytes: number;
}

/**
 * A copy that no caller can change, by way of JSON: so this store keeps exactly what the durable ones
 * can keep, and what it hands out is frozen and need not be copied again.
 * Errors: `E_INVALID` for what JSON cannot hold.
 */
export function frozenCopy<T>(what: string, value: T): FrozenCopy<T> {
  const text = toJson(what, value);
  return { value: deepFreeze(JSON.parse(text) as T), bytes: Buffer.byteLength(text) };
}

function toJson(what: string, value: unknown): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined) return text;
  throw new PagefaultError('E_INVALID', `${what} is not JSON`, { driver: NAME, cause });
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
