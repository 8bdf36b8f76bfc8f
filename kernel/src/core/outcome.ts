import type { ErrorCode } from '@pagefault/contracts';

/**
 * How a turn ended. Each way has its own name, so that a caller never has to guess:
 * - `answered`: the user has an answer.
 * - `yielded`: the model gave the processor back without one.
 * - `refused`: the model declined. `truncated`: the output limit cut the answer.
 * - `interrupted`: stopped by the caller. `failed`: see `failure`.
 * - `cycle-cap`, `spend-cap`, `time-cap`: a limit of the turn; a cap in dollars, also of process and stack, has a `failure`. `repeating`: the same call gave the same result too often.
 * - `thrashing`: every cycle needed a reclaim. `lease-lost`: another kernel took the process over.
 * - `appended`: a transcript message was taken in; nothing ran.
 */
export type Outcome =
  | 'answered'
  | 'yielded'
  | 'refused'
  | 'truncated'
  | 'interrupted'
  | 'failed'
  | 'cycle-cap'
  | 'spend-cap'
  | 'time-cap'
  | 'repeating'
  | 'thrashing'
  | 'lease-lost'
  | 'appended';

export interface TurnResult {
  readonly turnId: string;
  /** The interrupt that began it. */
  readonly interruptId: string;
  /** All that it answers: that one, and those that were steered into it. */
  readonly interruptIds: readonly string[];
  readonly outcome: Outcome;
  /** Everything said to the user, joined by blank lines; empty when nothing was. */
  readonly text: string;
  readonly cycles: number;
  readonly failure?: Failure;
}

/** Why a turn failed, without anything that must not be stored. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}
