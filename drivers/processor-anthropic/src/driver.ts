import type { ProcessorDriver } from '@pagefault/contracts';
import { notOpen, secretsOf } from '@pagefault/driver-kit';
import type { MessagesClient } from './api.js';
import { connect } from './client.js';
import { createBounds } from './bounds.js';
import { countExactly } from './exact.js';
import { toPagefaultError } from './errors.js';
import { inferMessages } from './infer.js';
import { type AnthropicProcessorOptions, DRIVER_NAME, readOptions } from './options.js';
import { toMessagesBody } from './request.js';

/**
 * A processor that speaks Anthropic's Messages, with Anthropic, a gateway, or by a given client with Bedrock and Vertex.
 * Errors: `E_CONFIG` for wrong options.
 */
export function createAnthropicProcessor(input: AnthropicProcessorOptions): ProcessorDriver {
  const options = readOptions(input);
  const bounds = createBounds(options);
  let session: { readonly client: MessagesClient; readonly closing: AbortController } | undefined;
  const callersOf = (closing: AbortController, signal: AbortSignal | undefined): AbortSignal[] => [
    closing.signal,
    ...(signal === undefined ? [] : [signal]),
  ];

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
        throw toPagefaultError(error, secretsOf(options));
      });
      session ??= { client, closing: new AbortController() };
    },

    async close() {
      session?.closing.abort();
      session = undefined;
    },

    async *infer(request, signal) {
      if (session === undefined) throw notOpen(DRIVER_NAME, 'infer');
      const callers = callersOf(session.closing, signal);
      yield* inferMessages(session.client, toMessagesBody(request, options), options, callers);
    },

    async count(pieces, signal) {
      if (options.counting === 'bounds' || session === undefined) return bounds(pieces);
      const { client, closing } = session;
      return countExactly(client, pieces, options, bounds, callersOf(closing, signal));
    },
  };
}
