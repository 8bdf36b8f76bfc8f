import type { ProcessorDriver } from '@pagefault/contracts';
import { countPieces, createTokenCounter, fromOpenAIError, notOpen, secretsOf } from '@pagefault/driver-kit';
import { connect, type OpenAIClient } from './client.js';
import { inferBy } from './infer.js';
import { DRIVER_NAME, readOptions, type OpenAIProcessorOptions } from './options.js';

/**
 * A processor that speaks OpenAI's Responses or Chat Completions, with OpenAI or any compatible server.
 * Errors: `E_CONFIG` for wrong options.
 */
export function createOpenAIProcessor(input: OpenAIProcessorOptions): ProcessorDriver {
  const options = readOptions(input);
  const counter = createTokenCounter();
  let session: { readonly client: OpenAIClient; readonly closing: AbortController } | undefined;

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
    }),

    // Sends nothing: whether key and server are right shows at the first inference.
    async open() {
      if (session !== undefined) return;
      const client = await connect(options).catch((error: unknown) => {
        throw fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
      });
      session ??= { client, closing: new AbortController() };
    },

    async close() {
      session?.closing.abort();
      session = undefined;
    },

    async *infer(request, signal) {
      if (session === undefined) throw notOpen(DRIVER_NAME, 'infer');
      const callers = [session.closing.signal, ...(signal === undefined ? [] : [signal])];
      yield* inferBy(session.client, request, options, callers);
    },

    count: (pieces) =>
      Promise.resolve(countPieces(counter, pieces, { thinkingIsSent: options.api === 'responses' })),
  };
}
