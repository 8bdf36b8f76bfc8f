import type OpenAI from 'openai';
import type { Options } from './options.js';

export type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
export type ChatChunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/** The slice of the official SDK that the driver uses. */
export interface ChatClient {
  readonly chat: {
    readonly completions: {
      create(
        body: ChatBody,
        options: { signal: AbortSignal; maxRetries: number; timeout: number },
      ): PromiseLike<AsyncIterable<ChatChunk>>;
    };
  };
}

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
