import type {
  Boundary,
  NeedReason,
  PageId,
  PageView,
  Residency,
  ResidencyCause,
  Tokens,
} from '@pagefault/contracts';

/**
 * Decides which pages leave the queue. Deterministic, and told everything, so that it is never stale;
 * the pager, not the policy, says what may go. The same objects run in the kernel and in the lab.
 */
export interface PagingPolicy {
  readonly id: string;
  /** Raised when a snapshot of the version before cannot be restored. */
  readonly version: number;
  configure(limits: { readonly capacity: number; readonly unit: 'tokens' | 'pages' }): void;
  /** A page was sealed and is in the queue. Called once a page, ids rising. */
  onBirth(page: PageView): void;
  onNeed(needs: readonly { readonly id: PageId; readonly why: NeedReason }[], step: number): void;
  onResidency(id: PageId, now: Residency, cause: ResidencyCause): void;
  /**
   * Victims in the order in which they should go. All that are named and eligible go, also when they are more than the
   * release asks for, so name no more than should; the oldest pages make up for what is missing. Asking changes nothing:
   * what leaves is told by `onResidency`, in this order.
   */
  victims(ask: VictimQuery): readonly PageId[];
  onBoundary?(kind: Boundary): void;
  snapshot(maxBytes: number): Uint8Array;
  /** False: the bytes are of another version or broken; the caller rebuilds from the residents. */
  restore(bytes: Uint8Array, version: number): boolean;
}

export interface VictimQuery {
  /** At least this much should go, if it can. */
  readonly release: Tokens;
  isEligible(id: PageId): boolean;
  /** What an eligible page takes now; stubs and recounts change it after the birth. Left out: what it took then. */
  tokensOf?(id: PageId): Tokens;
  /** What is talked about: `terms` of the newest user message. */
  readonly focus?: readonly number[];
  /** Cycles that the processor has run. */
  readonly step: number;
}

export type PolicyFactory = () => PagingPolicy;
