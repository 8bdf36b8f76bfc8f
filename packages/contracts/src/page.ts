import type { PageId, Seq, Tokens } from './ids.js';

/**
 * The smallest unit that can leave the queue without breaking a provider's message protocol: one user
 * or system message, or one assistant message with all its calls and all their results.
 */
export interface PageView {
  readonly id: PageId;
  readonly kind: PageKind;
  /** As counted when it was sealed, before calibration: what is released is asked for in the same unit. */
  readonly tokens: Tokens;
  /** Positions of its messages in the log, both ends included. */
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
}

export type PageKind = 'user' | 'system' | 'assistant';

/** In the queue; in the queue as head, tail, size and handle; only in recall. */
export type Residency = 'resident' | 'stub' | 'evicted';

export type ResidencyCause = 'reclaim' | 'admission' | 'page-in';

/** Evidence that a page is used. */
export type NeedReason = 'page-in' | 'search-hit' | 'repeated-call';

/** Points at which a policy may want to forget or to decay. */
export type Boundary = 'turn-end' | 'flush';
