import type { DriverHead } from './driver.js';
import type { Bill } from './processor.js';

/** Turns text into vectors of length 1. */
export interface EmbedderDriver extends DriverHead<'embedder', EmbedderManifest> {
  /**
   * One vector a text, in order, of the texts as they were at the call. A longer text is split and its vectors pooled by the
   * driver, so that all its parts count; one without a visible character is `E_INVALID`, and nothing of its call is embedded.
   *
   * `purpose` (default `document`): models that were trained with an instruction before each question, or each document, are
   * given it by the driver; others take no notice.
   *
   * `onBill` hears what each request used, also of a call that then fails; a driver that charges nothing tells nothing.
   */
  embed(
    texts: readonly string[],
    signal?: AbortSignal,
    purpose?: EmbedPurpose,
    onBill?: (bill: Bill) => void,
  ): Promise<readonly Float32Array[]>;
}

/** What a vector is for: to be found, or to search with. */
export type EmbedPurpose = 'document' | 'query';

export interface EmbedderManifest {
  readonly dimension: number;
  /** Tokens of the embedder's own tokenizer that one vector can stand for. */
  readonly maxTokens: number;
  /** Changes whenever the same text would get another vector: model, weights, pooling. Part of every scope. */
  readonly fingerprint: string;
  /** US dollars per million tokens. Default: not known, and then neither is what embedding costs. */
  readonly price?: number;
}
