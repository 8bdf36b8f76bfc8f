import { type Connected, connectClient } from '@pagefault/driver-kit';
import type { MessagesClient } from './api.js';
import type { Options } from './options.js';

/** The client that was given, or one of the official SDK, which is loaded only here. */
export function connect(options: Options): Promise<Connected<MessagesClient>> {
  return connectClient<MessagesClient>(options, async (through) => {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    // What the SDK would else take from the environment or a profile is said: configuration is the caller's.
    return new Anthropic({
      apiKey: options.apiKey ?? 'not-needed',
      baseURL: options.baseURL,
      webhookKey: null,
      logLevel: 'off',
      openTelemetry: { traces: false, propagation: false },
      maxRetries: 0,
      defaultHeaders: options.headers,
      ...through,
    });
  });
}
