import { type Connected, type OpenAIAccess, openAIClientOptions, throughProxy } from '@pagefault/driver-kit';
import type { ChatClient } from './chat/api.js';
import type { ResponsesClient } from './responses/api.js';

/** The slice of the official SDK that the driver uses; `responses` only when it speaks that API. */
export type OpenAIClient = ChatClient & Partial<ResponsesClient>;

/** A client of the caller's, or a function that gives one. */
export type GivenClient = OpenAIClient | (() => Promise<OpenAIClient> | OpenAIClient);

const nothingToEnd = async (): Promise<void> => undefined;

/** The client that was given, or one of the official SDK, which is loaded only here. */
export async function connect(
  options: OpenAIAccess & { readonly client?: GivenClient | undefined; readonly proxy?: string | undefined },
): Promise<Connected<OpenAIClient>> {
  const { client, proxy } = options;
  if (typeof client === 'function') return { sdk: await client(), end: nothingToEnd };
  if (client !== undefined) return { sdk: client, end: nothingToEnd };
  const { default: OpenAI } = await import('openai');
  const given = openAIClientOptions(options);
  if (proxy === undefined) return { sdk: new OpenAI(given), end: nothingToEnd };
  const { fetch, end } = await throughProxy(proxy);
  return { sdk: new OpenAI({ ...given, fetch }), end };
}
