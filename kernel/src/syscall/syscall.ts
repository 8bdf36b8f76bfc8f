import type { Instant, PageId, Tokens } from '@pagefault/contracts';
import type { z } from 'zod';
import type { CallOutcome, TimerRemains } from '../core/events.js';
import type { Block } from '../core/state.js';
import type { Limits } from '../limits.js';
import type { Timer } from '../timer/timer.js';
import type { SearchRequest, SearchResults } from '../core/search-results.js';

/** A function of the kernel that the model may call: schema, help text, effect. */
export interface Syscall {
  readonly name: string;
  /** What the model reads about it. */
  readonly help: string;
  readonly parameters: z.ZodObject;
  /** `args` has passed `parameters`. Throws `PagefaultError` for what the model should be told. */
  run(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<CallOutcome>;
}

/** What a syscall may see and do. Changes are not made here: they are returned, and committed with the result. */
export interface CallContext {
  readonly now: Instant;
  /** IANA name of the user's time zone. */
  readonly zone: string;
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly blocks: readonly Block[];
  /** The most that a text put back into the queue may hold. */
  readonly windowTokens: Tokens;
  /** By how much the blocks may grow. */
  roomForBlocks(): Promise<Tokens>;
  mintId(): string;
  count(text: string): Promise<Tokens>;
  search(request: SearchRequest): Promise<SearchResults>;
  readHandle(handle: string): Promise<TextSource | undefined>;
  /** Those that are mapped, by name. */
  documents(): Promise<readonly MappedDocument[]>;
  /** The process's own, the next to fall due first. */
  timers(): Promise<readonly Timer[]>;
  /** What goes with a timer when it is cancelled; `isSet` is false for one that is not there, or has been due already. */
  wholeTimer(id: string): Promise<{ readonly isSet: boolean; readonly remains: TimerRemains }>;
}

/** A text that can be read a window at a time: the original behind a handle. */
export interface TextSource {
  /** Of the origin, which is another than was asked for when that held recalled text. */
  readonly handle: string;
  /** Code points. */
  readonly size: number;
  /** The page that holds it; none for a passage or a document. */
  readonly page?: PageId;
  /** From code point `from` up to, not including, `to`; no more than there is. */
  read(from: number, to: number): Promise<string>;
}

/** A document of the process. */
export interface MappedDocument {
  /** `d<id>`, for `page_in` and `read_document`. */
  readonly handle: string;
  readonly name: string;
  /** Code points. */
  readonly characters: number;
}

/** Ties the argument type to the schema. */
export function defineSyscall<Schema extends z.ZodObject>(syscall: {
  readonly name: string;
  readonly help: string;
  readonly parameters: Schema;
  run(args: z.output<Schema>, context: CallContext): Promise<CallOutcome>;
}): Syscall {
  return {
    ...syscall,
    run: (args, context) => syscall.run(args as z.output<Schema>, context),
  };
}
