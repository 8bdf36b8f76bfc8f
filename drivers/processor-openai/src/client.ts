import { openAIClientOptions } from '@pagefault/driver-kit';
import type { ChatClient } from './chat.js';
import type { Options } from './options.js';

/** The client that was given, or one of the official SDK, which is loaded only here. */
export async function connect(options: Options): Promise<ChatClient> {
  const { client } = options;
  if (typeof client === 'function') return client();
  if (client !== undefined) return client;
  const { default: OpenAI } = await import('openai');
  return new OpenAI(openAIClientOptions(options));
}
