import type { NeedReason, PageId, PageView, Tokens } from '@pagefault/contracts';
import type { InterruptKind } from './interrupt-kind.js';
import type { Outcome } from './outcome.js';

/**
 * What the core noticed: shown on the bus and kept in recordings. It is also the paging trace that the
 * policy lab replays: births, steps with their needs, and what was evicted.
 */
export type Observation =
  | {
      readonly name: 'turn-started';
      readonly turnId: string;
      readonly interruptId: string;
      /** Left out for a user's. */
      readonly kind?: Exclude<InterruptKind, 'user'>;
    }
  | { readonly name: 'turn-steered'; readonly turnId: string; readonly interruptId: string }
  | {
      readonly name: 'turn-ended';
      readonly turnId: string;
      readonly outcome: Outcome;
      readonly cycles: number;
    }
  | PageBorn
  /** The prefix was rewritten with the blocks as they are now; so many notes about them left the queue. */
  | { readonly name: 'blocks-rendered'; readonly notes: number }
  | { readonly name: 'page-stubbed'; readonly page: PageId; readonly before: Tokens }
  | { readonly name: 'page-evicted'; readonly page: PageId; readonly tokens: Tokens }
  /** It showed a message that was erased. */
  | { readonly name: 'page-erased'; readonly page: PageId; readonly tokens: Tokens }
  | { readonly name: 'page-needed'; readonly page: PageId; readonly why: NeedReason; readonly fault: boolean }
  | { readonly name: 'page-pinned' | 'page-unpinned'; readonly page: PageId }
  | { readonly name: 'pressure-warning'; readonly tokens: Tokens; readonly budget: Tokens }
  | ReclaimAsked
  | {
      readonly name: 'flush-finished';
      readonly evicted: number;
      readonly before: Tokens;
      readonly after: Tokens;
    }
  | { readonly name: 'request'; readonly tokens: Tokens; readonly budget: Tokens; readonly cycle: number }
  | { readonly name: 'policy-reset'; readonly policy: string };

/** A page was sealed: from here on it may be evicted. */
export interface PageBorn extends Omit<PageView, 'id'> {
  readonly name: 'page-born';
  readonly page: PageId;
}

/** The pager asked the policy for victims. */
export interface ReclaimAsked {
  readonly name: 'reclaim';
  readonly step: number;
  readonly release: Tokens;
  /** Pages that may go, oldest first. */
  readonly eligible: readonly PageId[];
  /** What each of them takes now, in their order: stubs and recounts change it after the birth. */
  readonly sizes: readonly Tokens[];
  /** Terms of the newest user message. Recordings of before have none. */
  readonly focus?: readonly number[];
  readonly victims: readonly PageId[];
}
