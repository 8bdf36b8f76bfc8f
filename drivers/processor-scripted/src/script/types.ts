import type { FinishReason, InferRequest, PagefaultError, Usage } from '@pagefault/contracts';

/** A list is used up in order; a function is asked for each request, `n` counting from 0. */
export type Replies = readonly ScriptedReply[] | ReplyFunction;

export type ReplyFunction = (request: InferRequest, n: number) => ScriptedReply | Promise<ScriptedReply>;

/** One reply, as short as it can be written. A string is `{ text }`. */
export type ScriptedReply = string | ReplyScript;

export interface ReplyScript {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default `calls` when there are calls, else `stop`. */
  readonly reason?: FinishReason;
  /** What is left out is 0; all zero means unknown. */
  readonly usage?: Partial<Usage>;
  /** Told before the first delta, as providers do that then may fail. What is left out is 0. */
  readonly usedSoFar?: Partial<Usage>;
  /** Waited for before the first delta. A function is called when the request arrives. */
  readonly before?: Promise<unknown> | (() => Promise<unknown>);
  /** Thrown in place of `finish`, after the deltas of what else is given. */
  readonly error?: PagefaultError;
  /** The stream breaks the contract or the network. */
  readonly broken?: BrokenStream;
}

/**
 * `no-finish`: ends after its deltas without `finish`. `half`: ends in the middle of its deltas without
 * `finish`. `two-finishes`: finishes twice. `hang`: gives its deltas and then nothing, until it is aborted.
 */
export type BrokenStream = 'no-finish' | 'half' | 'two-finishes' | 'hang';

export interface ScriptedCall {
  readonly name: string;
  /**
   * A value is written as JSON. A string is sent as it stands; when it is no JSON object the call comes
   * back among `brokenCalls`, as from a model that wrote nonsense. Default `{}`.
   */
  readonly arguments?: object | string;
}
