/**
 * Reasoning items of the Responses API. They are encrypted, made for one model, and replayed as they came: without them a
 * reasoning model begins to think anew after each call.
 */
import type { Json, ThinkingPart } from '@pagefault/contracts';
import { wellFormed } from '@pagefault/driver-kit';
import { DRIVER_NAME } from '../options.js';
import type { InputItem } from './api.js';

/** What an item of the answer holds that matters. */
export interface HeardReasoning {
  readonly id: string;
  readonly encrypted: string;
  /** Texts of its summary, in order. */
  readonly summary: readonly string[];
}

/** The part that is stored; without encrypted content only its text, since the provider keeps nothing. */
export function thinkingPart(heard: HeardReasoning, text: string, model: string): ThinkingPart {
  if (heard.encrypted === '') return { type: 'thinking', text };
  const data = { api: 'responses', id: heard.id, encrypted: heard.encrypted, summary: [...heard.summary] };
  return { type: 'thinking', text, opaque: { driver: DRIVER_NAME, model, data } };
}

/** The item to replay; undefined when another model, driver or API made it. */
export function reasoningItem({ opaque }: ThinkingPart, model: string): InputItem | undefined {
  if (opaque === undefined || opaque.driver !== DRIVER_NAME || opaque.model !== model) return undefined;
  const { api, id, encrypted, summary } = fieldsOf(opaque.data);
  if (api !== 'responses' || typeof id !== 'string' || typeof encrypted !== 'string') return undefined;
  const texts = Array.isArray(summary) ? summary.filter((text) => typeof text === 'string') : [];
  return {
    type: 'reasoning',
    id,
    summary: texts.map((text) => ({ type: 'summary_text', text: wellFormed(text) })),
    encrypted_content: encrypted,
  };
}

function fieldsOf(data: Json): { readonly [key: string]: unknown } {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as { readonly [key: string]: Json })
    : {};
}
