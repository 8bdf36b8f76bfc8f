import type { DriverHead } from './driver.js';
import type { ErrorCode, PagefaultError } from './errors.js';
import type { Json, MicroDollars, Tokens } from './ids.js';
import type { CallPart, Message, Part } from './message.js';

/** The LLM that runs a process. One `infer` is one cycle. */
export interface ProcessorDriver extends DriverHead<'processor', ProcessorManifest> {
  /**
   * Runs one cycle. The stream ends with exactly one `finish`; it throws for every failure, also after
   * some events were given, and never ends without either.
   * Errors: `E_CONTEXT_OVERFLOW`, `E_RATE_LIMITED`, `E_OVERLOADED`, `E_AUTH`, `E_REQUEST`, `E_PROTOCOL`,
   * `E_TIMEOUT`, `E_ABORTED`.
   */
  infer(request: InferRequest, signal?: AbortSignal): AsyncIterable<ProcessorEvent>;

  /**
   * Tokens of each piece as this model will see it, wire overhead included. Upper bounds; never throws on any text.
   * `onBounds` hears why, when the provider itself was to count and upper bounds stand in for some of the pieces. At most
   * once a call; a driver that never asks the provider needs it not.
   */
  count(
    pieces: readonly CountablePiece[],
    signal?: AbortSignal,
    onBounds?: (why: PagefaultError) => void,
  ): Promise<readonly Tokens[]>;
}

export interface ProcessorManifest {
  /** The model's id at the provider. */
  readonly model: string;
  /** Input and output together. */
  readonly window: Tokens;
  /** The most that one reply can hold. Less than `window`. */
  readonly maxOutput: Tokens;
  readonly parallelCalls: boolean;
  readonly images: boolean;
  /** What the provider charges. Default: not known, and then neither is what a process spends. */
  readonly prices?: TokenPrices;
}

/** US dollars per million tokens. */
export interface TokenRates {
  /** Input that was neither read from nor written to the provider's cache. */
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

export interface TokenPrices extends TokenRates {
  /** The day of the price list, `YYYY-MM-DD`. None for prices that the user gave. */
  readonly asOf?: string;
  /** What requests cost whose whole input is above that many tokens, their output included. */
  readonly long?: TokenRates & { readonly above: Tokens };
}

/** Everything that is sent, in the order on the wire: tools, system, messages. */
export interface InferRequest {
  readonly tools: readonly ToolDefinition[];
  readonly system: string;
  readonly messages: readonly Message[];
  readonly maxOutput: Tokens;
  /**
   * Where the prefix is worth keeping in the provider's prompt cache: n is the place after the first n messages, 0 the one
   * after the system text. Ascending, at most four, never after the last message, which changes with every request. Advice:
   * a provider that finds shared prefixes by itself needs none, and left out nothing is marked. A driver that marks content
   * passes over what may not be marked (empty text, thinking).
   */
  readonly breakpoints?: readonly number[];
}

export interface ToolDefinition {
  /** `[a-zA-Z0-9_-]{1,64}` */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: { readonly [key: string]: Json };
}

/** What can be counted on its own. The request's size is at most the sum over its pieces. */
export type CountablePiece =
  | { readonly kind: 'tools'; readonly tools: readonly ToolDefinition[] }
  | { readonly kind: 'system'; readonly text: string }
  | { readonly kind: 'message'; readonly message: Message };

/** Deltas are provisional: what counts is `finish`. */
export type ProcessorEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'thinking'; readonly delta: string }
  /** A call begins; `slot` is its place among the calls of this reply, from 0. */
  | { readonly type: 'call'; readonly slot: number; readonly name: string }
  | { readonly type: 'arguments'; readonly slot: number; readonly delta: string }
  | UsageEvent
  /** `attempt`: the request that answered, as `UsageEvent` counts them. Default 1. */
  | { readonly type: 'finish'; readonly reply: Reply; readonly attempt?: number };

/**
 * What the provider says that a request has used so far, as soon as it says so: it bills a request that then fails, or is
 * stopped, all the same. No delta: nothing of an answer is given out by it.
 */
export interface UsageEvent extends Bill {
  readonly type: 'usage';
  /**
   * Counts the requests of this inference, from 1, which is the default. A later event of the same one takes the place of
   * the earlier, and the usage of the reply that of its own request.
   */
  readonly attempt?: number;
}

/** What one request to a provider used, as far as it was told. */
export interface Bill {
  readonly usage: Usage;
  /** What it cost, where the driver knows better than by `prices`. Default: usage times prices. */
  readonly spend?: MicroDollars;
  /** Set by a processor that is made of several: the name of the one that charges it. */
  readonly by?: string;
}

export interface Reply {
  /** Text, thinking and calls; never empty text. May be empty when the model said nothing. */
  readonly parts: readonly Part[];
  readonly reason: FinishReason;
  readonly usage: Usage;
  /** What it cost, where the driver knows better than by `prices`. Default: usage times prices. */
  readonly spend?: MicroDollars;
  /** Set by a processor that is made of several. */
  readonly route?: ReplyRoute;
  /** Calls that were cut off or are not valid JSON: never run; the model is told why. */
  readonly brokenCalls?: readonly BrokenCall[];
}

/** Which of several processors answered, by the name that the user gave it, and why those before it did not. */
export interface ReplyRoute {
  readonly answeredBy: string;
  readonly passedOver: readonly PassedOver[];
}

export interface PassedOver {
  readonly name: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** `length`: the output limit cut the reply. `refused`: the model or a filter declined. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'refused';

export interface BrokenCall {
  readonly call: CallPart;
  /** What is wrong, for the model. The stored `call.arguments` is a well-formed stand-in. */
  readonly problem: string;
}

/** As the provider reports it, made comparable. All zero means unknown. */
export interface Usage {
  /** Input that was neither read from nor written to the provider's cache. */
  readonly plain: Tokens;
  readonly cached: Tokens;
  readonly written: Tokens;
  readonly output: Tokens;
}
