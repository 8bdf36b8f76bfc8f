import type { CountablePiece, Tokens } from '@pagefault/contracts';
import { alone, countExactly, toCount } from '@pagefault/driver-kit';
import type { OpenAIClient } from './client.js';
import { DRIVER_NAME, type Options } from './options.js';
import { toCountBody } from './responses/request.js';

export interface ExactCounter {
  /** Undefined where the server cannot be asked. */
  count(
    client: OpenAIClient,
    pieces: readonly CountablePiece[],
    callers: readonly AbortSignal[],
  ): Promise<readonly Tokens[]> | undefined;
}

type Bounds = (pieces: readonly CountablePiece[]) => readonly Tokens[];

/** By `responses/input_tokens`. A server that has it not is asked once. */
export function createExactCounter(options: Options, bounds: Bounds): ExactCounter {
  let isOffered = options.counting === 'exact' && options.api === 'responses';
  const onFailure = (error: unknown): void => {
    if (isMissing(error)) isOffered = false;
  };
  return {
    count({ responses }, pieces, callers) {
      const counter = responses?.inputTokens;
      if (!isOffered || counter === undefined) return undefined;
      const { idleTimeout, deadline, maxOutput } = options;
      return countExactly(pieces, {
        driver: DRIVER_NAME,
        idleTimeout,
        deadline,
        callers,
        bounds,
        onFailure,
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

function isMissing(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'status' in error &&
    [404, 405, 501].includes(Number(error.status))
  );
}
