import type { FinishReason, Usage } from '@pagefault/contracts';

/** A reply before it has call ids and is streamed: what scripts and rules come down to. */
export interface PlannedReply {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls: readonly PlannedCall[];
  readonly reason: FinishReason;
  readonly usage: Usage;
}

export interface PlannedCall {
  readonly name: string;
  /** As the model writes it: JSON text of an object, if all is well. */
  readonly arguments: string;
}

export const UNKNOWN_USAGE: Usage = { plain: 0, cached: 0, written: 0, output: 0 };
