import type { CountablePiece, PagefaultError, Tokens } from '@pagefault/contracts';
import {
  alone,
  countExactly,
  countsUnavailable,
  fromOpenAIError,
  secretsOf,
  toCount,
} from '@pagefault/driver-kit';
import type { OpenAIClient } from './client.js';
import { DRIVER_NAME, type Options } from './options.js';
import { toCountBody } from './responses/request.js';

export interface ExactCounter {
  /** Undefined where the server cannot be asked. */
  count(
    client: OpenAIClient,
    pieces: readonly CountablePiece[],
    callers: readonly AbortSignal[],
    onBounds?: (why: PagefaultError) => void,
  ): Promise<readonly Tokens[]> | undefined;
}

type Bounds = (pieces: readonly CountablePiece[]) => readonly Tokens[];

/** By `responses/input_tokens`. A server that has it not is asked once. */
export function createExactCounter(options: Options, bounds: Bounds): ExactCounter {
  let missing =
    options.api === 'responses' ? undefined : unavailable('Chat Completions has no count of tokens');
  return {
    count({ responses }, pieces, callers, onBounds) {
      if (options.counting !== 'exact') return undefined;
      const counter = responses?.inputTokens;
      if (missing === undefined && counter === undefined)
        missing = unavailable('the client has no responses.inputTokens');
      if (missing !== undefined || counter === undefined) {
        if (missing !== undefined) onBounds?.(missing);
        return undefined;
      }
      const { idleTimeout, deadline, maxOutput } = options;
      return countExactly(pieces, {
        driver: DRIVER_NAME,
        idleTimeout,
        deadline,
        callers,
        bounds,
        onFailure(error) {
          const why = unavailable(fromOpenAIError(error, DRIVER_NAME, secretsOf(options)));
          if (isMissing(error)) missing = why;
          onBounds?.(why);
        },
        async countOne(piece, watch) {
          const call = { signal: watch.signal, maxRetries: 0, timeout: idleTimeout };
          // Functions are counted as a piece of their own, and this API needs none for a call.
          const request = alone(piece, maxOutput);
          const tools = piece.kind === 'tools' ? request.tools : [];
          const body = toCountBody({ ...request, tools }, options);
          return toCount((await watch.hear(counter.count(body, call))).input_tokens);
        },
      });
    },
  };
}

function unavailable(why: PagefaultError | string): PagefaultError {
  return countsUnavailable(DRIVER_NAME, why);
}

function isMissing(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'status' in error &&
    [404, 405, 501].includes(Number(error.status))
  );
}
