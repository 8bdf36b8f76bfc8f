import { createHash } from 'node:crypto';

export interface WireIds {
  /** The id on the wire of the next call that has this id in the history. */
  take(callId: string): string;
}

/** With its prefix a hash takes 37 characters; no provider takes fewer than 40. */
const HASH_DIGITS = 32;

/**
 * Ids that a provider takes, whatever driver minted them: those of up to `longest` characters of `[a-zA-Z0-9_-]` stay,
 * others become a hash, and one that was used before in the same request gets a new one. The same history always gives
 * the same ids.
 */
export function createWireIds(longest: number): WireIds {
  const used = new Set<string>();
  const isLegal = (id: string): boolean => id.length <= longest && /^[a-zA-Z0-9_-]+$/.test(id);
  return {
    take(callId) {
      let wire = isLegal(callId) ? callId : hashed(callId);
      for (let again = 1; used.has(wire); again += 1) wire = hashed(`${callId}#${again}`);
      used.add(wire);
      return wire;
    },
  };
}

function hashed(text: string): string {
  return `call_${createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)}`;
}

/** The name of a function as every provider takes it: 1 to 64 characters of `[a-zA-Z0-9_-]`. */
export function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}
