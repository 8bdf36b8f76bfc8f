import type { Instant, Json, MessageId } from './ids.js';

/**
 * The neutral message model. Each processor driver turns it into its provider's form; what is stored
 * is never rewritten for a provider's sake.
 */
export interface Message {
  readonly id: MessageId;
  readonly role: Role;
  /** In order. A stored message has at least one part, and no part is empty text. */
  readonly parts: readonly Part[];
  readonly at: Instant;
  /** Who speaks, when that is more than the role says: a person's name, a channel. */
  readonly name?: string;
  /** The conversation session it belongs to. Neighbours are neighbours only within one session. */
  readonly session?: string;
  /** Set when the kernel itself wrote it; such messages are neither indexed nor summarised. */
  readonly notice?: Notice;
}

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** Why the kernel put a message into the queue. */
export type Notice = 'pressure' | 'interrupted' | 'truncated' | 'unpinned' | 'block-edit';

export type Part = TextPart | ImagePart | ThinkingPart | CallPart | ResultPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  /** For example `image/png`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  /** Pixels, when known: they, not the bytes, decide the tokens. */
  readonly width?: number;
  readonly height?: number;
}

/** A model's reasoning. `opaque` is replayed byte for byte to the model that made it, and left out for others. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  readonly opaque?: { readonly driver: string; readonly model: string; readonly data: Json };
}

/** A function call by the model. */
export interface CallPart {
  readonly type: 'call';
  /** Unique within the process: minted by the driver when the reply is parsed. */
  readonly callId: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON text of an object, so that no number loses digits. */
  readonly arguments: string;
}

/** What a call came to. Exactly one for each call, in the same page. */
export interface ResultPart {
  readonly type: 'result';
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError?: boolean;
  /** Where the text was read from, when memory put it back: such text is never indexed or summarised as new. */
  readonly recalled?: readonly Reference[];
}

/** A piece of text that already lives in memory. */
export interface Reference {
  /** `m<seq>` for a message of the log, `p<id>` for a passage. */
  readonly handle: string;
  /** Code points, half open. */
  readonly from: number;
  readonly to: number;
}
