import type { PromptToken } from './prompt.js';
import type { DoubleReply } from './reply.js';

/** What the double reads of a request, whichever of the two APIs it is of. */
export interface ReadRequest {
  readonly model: string;
  readonly isStreamed: boolean;
  readonly tokens: readonly PromptToken[];
  /** The most tokens of output that are asked for; 0 when it is left to the service. */
  readonly output: number;
  readonly cacheKey: string;
}

export interface AnswerFacts {
  /** How many requests were accepted before. */
  readonly n: number;
  /** Tokens of the prompt, and of those how many the cache had. */
  readonly prompt: number;
  readonly cached: number;
}

/** One of the APIs that run a model. */
export interface ModelApi {
  readonly path: string;
  /** What the service would refuse in a body; empty when it would accept it. */
  problems(body: unknown): string[];
  /** Of a body without problems. */
  read(body: unknown): ReadRequest;
  frames(reply: DoubleReply, body: unknown, facts: AnswerFacts): readonly string[];
  whole(reply: DoubleReply, body: unknown, facts: AnswerFacts): object;
  errorFrame(error: object | undefined): string;
}
