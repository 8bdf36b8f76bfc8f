import { createHash } from 'node:crypto';

/** OpenAI's own ids are shorter; servers differ in what else they take. */
const LEGAL_ID = /^[a-zA-Z0-9_-]{1,40}$/;

export interface WireIds {
  /** The id on the wire of the next call that has this id in the history. */
  take(callId: string): string;
}

/**
 * Ids that any server takes, whatever driver minted them: legal ones stay, others become a hash, and one
 * that was used before in the same request gets a new one. The same history always gives the same ids.
 */
export function createWireIds(): WireIds {
  const used = new Set<string>();
  return {
    take(callId) {
      let wire = LEGAL_ID.test(callId) ? callId : hashed(callId);
      for (let again = 1; used.has(wire); again += 1) wire = hashed(`${callId}#${again}`);
      used.add(wire);
      return wire;
    },
  };
}

// 32 of 64 hex digits: with the prefix 37 characters, and no two ids of a history meet.
function hashed(text: string): string {
  return `call_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
