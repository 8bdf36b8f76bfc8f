import type { ProcessorDriver } from '@pagefault/contracts';
import { createSession, secretsOf } from '@pagefault/driver-kit';
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
  const session = createSession(
    DRIVER_NAME,
    () =>
      connect(options).catch((error: unknown) => {
        throw toPagefaultError(error, secretsOf(options));
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
      yield* inferMessages(client.sdk, toMessagesBody(request, options), options, callers);
    },

    async count(pieces, signal, onBounds) {
      const work = options.counting === 'bounds' ? undefined : session.current(signal);
      if (work === undefined) return bounds(pieces);
      return countExactly(work.client.sdk, pieces, options, bounds, work.callers, onBounds);
    },
  };
}
