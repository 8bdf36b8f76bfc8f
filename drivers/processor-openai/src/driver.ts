import type { CountablePiece, ProcessorDriver } from '@pagefault/contracts';
import {
  countPieces,
  createSession,
  createTokenCounter,
  fromOpenAIError,
  secretsOf,
} from '@pagefault/driver-kit';
import { connect } from './client.js';
import { createExactCounter } from './exact.js';
import { inferBy } from './infer.js';
import { DRIVER_NAME, readOptions, type OpenAIProcessorOptions } from './options.js';

/**
 * A processor that speaks OpenAI's Responses or Chat Completions, with OpenAI or any compatible server.
 * Errors: `E_CONFIG` for wrong options.
 */
export function createOpenAIProcessor(input: OpenAIProcessorOptions): ProcessorDriver {
  const options = readOptions(input);
  const counter = createTokenCounter();
  const bounds = (pieces: readonly CountablePiece[]) =>
    countPieces(counter, pieces, { thinkingIsSent: options.api === 'responses' });
  const exact = createExactCounter(options, bounds);
  const session = createSession(
    DRIVER_NAME,
    () =>
      connect(options).catch((error: unknown) => {
        throw fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
      }),
    ({ end }) => end(),
  );

  return {
    kind: 'processor',
    name: DRIVER_NAME,
    specVersion: 1,
    supports: Object.freeze({
      model: options.model,
      window: options.window,
      maxOutput: options.maxOutput,
      parallelCalls: options.parallelCalls,
      images: options.images,
      ...(options.prices && { prices: options.prices }),
    }),

    open: () => session.open(),
    close: () => session.close(),

    async *infer(request, signal) {
      const { client, callers } = session.work('infer', signal);
      yield* inferBy(client.sdk, request, options, callers);
    },

    async count(pieces, signal, onBounds) {
      const work = session.current(signal);
      const asked = work && exact.count(work.client.sdk, pieces, work.callers, onBounds);
      return asked ?? bounds(pieces);
    },
  };
}
