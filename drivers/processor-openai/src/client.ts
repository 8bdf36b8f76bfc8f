import { type OpenAIAccess, openAIClientOptions } from '@pagefault/driver-kit';
import type { ChatClient } from './chat/api.js';
import type { ResponsesClient } from './responses/api.js';

/** The slice of the official SDK that the driver uses; `responses` only when it speaks that API. */
export type OpenAIClient = ChatClient & Partial<ResponsesClient>;

/** A client of the caller's, or a function that gives one. */
export type GivenClient = OpenAIClient | (() => Promise<OpenAIClient> | OpenAIClient);

/** The client that was given, or one of the official SDK, which is loaded only here. */
export async function connect(
  options: OpenAIAccess & { readonly client?: GivenClient | undefined },
): Promise<OpenAIClient> {
  const { client } = options;
  if (typeof client === 'function') return client();
  if (client !== undefined) return client;
  const { default: OpenAI } = await import('openai');
  return new OpenAI(openAIClientOptions(options));
}
