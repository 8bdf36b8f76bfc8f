import type {
  Commit,
  CountablePiece,
  InferRequest,
  Instant,
  Message,
  MessageId,
  NeedReason,
  PageId,
  Reference,
  Reply,
  Tokens,
} from '@pagefault/contracts';
import type { Billed, NamedBill } from './bills.js';
import type { Erased } from './erased.js';
import type { Author, BlockEdit, SharedView } from './block-edit.js';
import type { InterruptKind } from './interrupt-kind.js';
import type { Observation } from './observation.js';
import type { Timer } from '../timer/timer.js';
import type { Failure, TurnResult } from './outcome.js';

/** What the shell saw. Everything that the core knows came in by one of these, so a recording is a list of them. */
export type Event =
  /** The process was loaded: under which processor and program, and when. A turn that a crash cut off goes on. */
  | {
      readonly type: 'attached';
      readonly at: Instant;
      readonly interrupted: readonly string[];
      /** The process was put on that processor, or back on the stack's own. Left out: it stays on the one it has. */
      readonly use?: { readonly processor?: string | undefined };
    }
  | {
      readonly type: 'interrupt';
      readonly at: Instant;
      readonly turnId: string;
      readonly interrupt: Interrupt;
    }
  | { readonly type: 'counted'; readonly tokens: Readonly<Record<PieceKey, Tokens>> }
  | ({ readonly type: 'summarised'; readonly text: string; readonly by: string } & Billed)
  | {
      readonly type: 'replied';
      readonly at: Instant;
      readonly messageId: MessageId;
      readonly reply: Reply;
      /** Of requests that came to nothing before. Default: none. */
      readonly bills?: readonly NamedBill[];
    }
  | {
      readonly type: 'infer-failed';
      readonly at: Instant;
      readonly messageId: MessageId;
      readonly failure: Failure;
      /** What had been shown before it failed. */
      readonly partial: string;
      /** It may be billed all the same. Default: nothing. */
      readonly bills?: readonly NamedBill[];
    }
  | {
      readonly type: 'call-finished';
      readonly at: Instant;
      readonly callId: string;
      readonly messageId: MessageId;
      readonly outcome: CallOutcome;
    }
  /** With what a summary cost that is not used. */
  | ({ readonly type: 'cancelled'; readonly at: Instant } & Billed)
  /** Nobody has needed the process for a while: time to reclaim, when it is worth it. */
  | { readonly type: 'idle'; readonly at: Instant }
  /** A page is pinned or unpinned from outside a turn; what the core refuses changes nothing. */
  | { readonly type: 'pin'; readonly at: Instant; readonly change: PinChange }
  /** For the turn under way. May come at any time during it, also while an effect is awaited: it is only noted. */
  | { readonly type: 'steered'; readonly interrupt: Interrupt }
  /** Messages are gone from the log: what main context still has of them goes. Between two turns. */
  | Erased
  /** Passages that come from outside a turn. */
  | { readonly type: 'passages'; readonly at: Instant; readonly passages: readonly NewPassage[] }
  /** Edits of blocks that come from outside a turn: all of them, or none when one is refused. */
  | {
      readonly type: 'edited';
      readonly at: Instant;
      readonly by: Author;
      readonly edits: readonly BlockEdit[];
    }
  | ({ readonly type: 'refreshed'; readonly at: Instant } & Views);

export interface Interrupt {
  /** Makes delivery idempotent. */
  readonly id: string;
  readonly kind: InterruptKind;
  readonly message: Message;
  /** False: append and lay out, but do not run. */
  readonly respond: boolean;
  /** True: more follows at once, so it need not be durable yet; the next event that is not held commits both. */
  readonly hold?: boolean;
  /** The inbox row it came from; none when it was handed over directly. */
  readonly inboxKey?: string;
  /** `steer`: the turn under way takes it before its next cycle. Default: it gets a turn of its own. */
  readonly delivery?: 'steer';
  /** While it waits in the inbox, a later one with this key is merged into it. */
  readonly coalesce?: string;
  /** How many it stands for, itself included. Default 1. */
  readonly count?: number;
  /** Of a row that others may merge into: what was read, so that nothing merged is lost. */
  readonly inboxVersion?: number;
}

/** What a function call came to, as the executor saw it. */
export interface CallOutcome {
  readonly text: string;
  readonly isError?: boolean;
  readonly recalled?: readonly Reference[];
  /** What the call wants changed; the core does it and commits it together with the result. */
  readonly edit?: BlockEdit;
  readonly pin?: PinChange;
  readonly passages?: readonly NewPassage[];
  readonly timers?: TimerChanges;
  /** What shared blocks hold after an edit that their owner took or refused. */
  readonly views?: Views;
  /** Text for the user. */
  readonly answer?: string;
  readonly needs?: readonly { readonly page: PageId; readonly why: NeedReason }[];
}

export interface PinChange {
  readonly kind: 'pin' | 'unpin';
  /** `m<seq>`, or the handle that a resident window was read from. */
  readonly handle: string;
}

export interface TimerChanges {
  /** One under an id that is there takes its place. */
  readonly set?: readonly Timer[];
  /** Ids; unknown ones are passed over. */
  readonly cancel?: readonly string[];
  /** What those that are cancelled leave behind, which goes too. */
  readonly remains?: readonly TimerRemains[];
}

export interface TimerRemains {
  /** Of the timer. */
  readonly id: string;
  /** Of the occurrence that waits to be served, if one does. */
  readonly inboxKey?: string;
  /** Ids of occurrences whose stored outcome nobody wants any more. */
  readonly deliveries: readonly string[];
}

/** What shared blocks hold now. */
export interface Views {
  readonly views: readonly SharedView[];
  /** Ids of those that are no more. */
  readonly gone: readonly string[];
}

export interface NewPassage {
  readonly id: string;
  readonly text: string;
  /** Where it is from: a file, or nothing when the model wrote it. Chunks of one source are neighbours. */
  readonly source?: string;
}

/** `tools`, `system`, `blocks`, `blocksAnew`, `tail`, `summary`, or `m<seq>`. */
export type PieceKey = string;

/** What the shell shall do, in order. The last of a list may answer with an event. */
export type Effect =
  | {
      readonly type: 'count';
      readonly pieces: readonly { readonly key: PieceKey; readonly piece: CountablePiece }[];
    }
  | { readonly type: 'commit'; readonly commit: Commit }
  | { readonly type: 'summarise'; readonly input: SummaryInput }
  | { readonly type: 'infer'; readonly request: InferRequest; readonly tokens: Tokens }
  | { readonly type: 'laid-out'; readonly request: InferRequest; readonly tokens: Tokens }
  | { readonly type: 'call'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'observe'; readonly observation: Observation }
  | { readonly type: 'end'; readonly result: TurnResult };

export interface SummaryInput {
  /** Text of the summary so far; empty at first. */
  readonly previous: string;
  /** What leaves the queue, oldest first; without text that memory had put back. */
  readonly messages: readonly Message[];
  readonly maxTokens: Tokens;
}
