import type { PageId, Seq, Tokens } from './ids.js';

/**
 * The smallest unit that can leave the queue without breaking a provider's message protocol: one user
 * or system message, or one assistant message with all its calls and all their results.
 *
 * What is optional says something of the content, without a model, and is bounded; recordings of before have none of it.
 */
export interface PageView {
  readonly id: PageId;
  readonly kind: PageKind;
  /** As counted when it was sealed, before calibration: what is released is asked for in the same unit. */
  readonly tokens: Tokens;
  /** Positions of its messages in the log, both ends included; a page with results has more than one. */
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
  /** One of its calls came to an error. */
  readonly failed?: boolean;
  /**
   * Earlier resident pages that this one makes out of date, oldest first, at most 16: all they hold was read again,
   * by the same calls or from the same windows of the same documents.
   */
  readonly supersedes?: readonly PageId[];
  /**
   * Exact values that were said in it (identifiers, addresses, dates, amounts), at most 10: the stand-in for an
   * importance that a model would rate from 1 to 10.
   */
  readonly facts?: number;
  /**
   * Its stems, as numbers of 24 bits, ascending; of more than 32 the smallest, which are a fair sample of them: a
   * bottom-k sketch (Cohen and Kaplan 2007). Shared numbers tell shared words.
   */
  readonly terms?: readonly number[];
}

export type PageKind = 'user' | 'system' | 'assistant';

/** In the queue; in the queue as head, tail, size and handle; only in recall. */
export type Residency = 'resident' | 'stub' | 'evicted';

/** After `erasure` nothing of the page may be kept, also not in what a policy remembers of pages that left before. */
export type ResidencyCause = 'reclaim' | 'admission' | 'page-in' | 'erasure';

/** Evidence that a page is used. */
export type NeedReason = 'page-in' | 'search-hit' | 'repeated-call';

/** Points at which a policy may want to forget or to decay. */
export type Boundary = 'turn-end' | 'flush';
