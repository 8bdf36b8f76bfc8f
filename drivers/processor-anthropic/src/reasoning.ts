import type { Json, ThinkingPart } from '@pagefault/contracts';
import { wellFormed } from '@pagefault/driver-kit';
import type { WireBlock, WireThinking } from './api.js';
import { DRIVER_NAME } from './options.js';

/**
 * The part that keeps a block of thinking byte for byte. Without a signature it cannot be sent back; nor can text that no
 * store and no wire takes as it is (NUL, halves of characters), for the signature is of the very bytes.
 */
export function thinkingPart(model: string, text: string, signature: string): ThinkingPart {
  return signature === '' || !isStorable(text)
    ? { type: 'thinking', text: wellFormed(text) }
    : { type: 'thinking', text, opaque: { driver: DRIVER_NAME, model, data: { signature } } };
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && wellFormed(text) === text;
}

/** Thinking that the provider does not show. */
export function redactedPart(model: string, data: string): ThinkingPart {
  return { type: 'thinking', text: '', opaque: { driver: DRIVER_NAME, model, data: { redacted: data } } };
}

/** The block that a part was; none for another driver's or another model's. */
export function thinkingBlock(part: ThinkingPart, model: string): WireThinking | undefined {
  const { opaque } = part;
  if (opaque?.driver !== DRIVER_NAME || opaque.model !== model) return undefined;
  const signature = field(opaque.data, 'signature');
  if (signature !== undefined) return { type: 'thinking', thinking: part.text, signature };
  const data = field(opaque.data, 'redacted');
  return data === undefined ? undefined : { type: 'redacted_thinking', data };
}

function field(data: Json, key: string): string | undefined {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, Json>)[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function isThinking(block: WireBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
