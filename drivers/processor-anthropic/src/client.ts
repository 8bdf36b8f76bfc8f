import { type Connected, throughProxy } from '@pagefault/driver-kit';
import type { MessagesClient } from './api.js';
import type { Options } from './options.js';

const nothingToEnd = async (): Promise<void> => undefined;

/** The client that was given, or one of the official SDK, which is loaded only here. */
export async function connect(options: Options): Promise<Connected<MessagesClient>> {
  const { client, proxy } = options;
  if (typeof client === 'function') return { sdk: await client(), end: nothingToEnd };
  if (client !== undefined) return { sdk: client, end: nothingToEnd };
  if (proxy === undefined) return { sdk: await ownClient(options), end: nothingToEnd };
  const { fetch, end } = await throughProxy(proxy);
  return { sdk: await ownClient(options, fetch), end };
}

async function ownClient(options: Options, through?: typeof fetch): Promise<MessagesClient> {
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
    ...(through === undefined ? {} : { fetch: through }),
  });
}
