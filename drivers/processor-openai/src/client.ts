import type { ChatClient } from './chat.js';
import type { Options } from './options.js';

/** The client that was given, or one of the official SDK, which is loaded only here. */
export async function connect(options: Options): Promise<ChatClient> {
  const { client } = options;
  if (typeof client === 'function') return client();
  if (client !== undefined) return client;
  const { default: OpenAI } = await import('openai');
  // Everything that the SDK would else take from the environment is said: configuration is the caller's.
  return new OpenAI({
    apiKey: options.apiKey ?? 'not-needed',
    baseURL: options.baseURL,
    organization: options.organization ?? null,
    project: options.project ?? null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    defaultHeaders: options.headers,
  });
}
