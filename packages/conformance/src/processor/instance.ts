import type { ProcessorDriver, Tokens } from '@pagefault/contracts';
import type { ConformanceCase } from '../case.js';

/** What the server under a processor says, in no provider's words. All of it optional: `{}` is an answer without content. */
export interface ServerReply {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ServerCall[];
  /** Default `stop`, or what the server says when it calls something. `never`: the stream ends without saying why. */
  readonly end?: 'stop' | 'length' | 'refused' | 'never';
  /** False: a server that reports none. */
  readonly usage?: false;
  readonly fault?: ServerFault;
}

export interface ServerCall {
  /** What the server calls it; servers repeat their ids. */
  readonly id?: string;
  readonly name: string;
  /** JSON text, as it is; in one piece or more. */
  readonly arguments?: string;
}

/** `shown`: whether some of the reply's text was given before the fault. */
export type ServerFault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  /** The request is refused as too long. */
  | { readonly kind: 'too-long' }
  /** The prompt is refused by a filter. */
  | { readonly kind: 'filtered' }
  /** Not even headers. */
  | { readonly kind: 'no-answer' }
  /** Bytes of the stream come one by one. */
  | { readonly kind: 'split' }
  /** An error inside a stream of status 200; the socket dies; the stream ends early; nothing more comes; what comes is no JSON. */
  | {
      readonly kind: 'overloaded' | 'destroyed' | 'cut' | 'silent' | 'garbage';
      readonly shown: boolean;
    };

export interface ProcessorInstance {
  /** Of the tries that it makes, four in all, the waits take no time. */
  readonly driver: ProcessorDriver;
  /** A driver like it that makes one try and bears 50 ms of silence; not open. */
  impatient(): ProcessorDriver;
  /** The key that the drivers were given; the server takes it. */
  readonly secret: string;
  /** What the server says from now on, reply by reply. */
  script(...replies: readonly ServerReply[]): void;
  /** Requests that came in since the last `script`, those that were refused too. */
  requests(): number;
  /** Why the server refused requests since then. */
  refusals(): readonly string[];
  /** Tokens of the last request as the server counts them. */
  counted(): Tokens;
  /** Answers of the server that are under way now. */
  answering(): number;
  /** The waits of the driver between tries since the last `script`, in milliseconds. */
  waits(): readonly number[];
}

export type ProcessorCase = ConformanceCase<ProcessorInstance>;
