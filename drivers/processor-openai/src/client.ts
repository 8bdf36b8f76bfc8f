import {
  type Connected,
  connectClient,
  type GivenClient,
  type OpenAIAccess,
  openAIClientOptions,
} from '@pagefault/driver-kit';
import type { ChatClient } from './chat/api.js';
import type { ResponsesClient } from './responses/api.js';

/** The slice of the official SDK that the driver uses; `responses` only when it speaks that API. */
export type OpenAIClient = ChatClient & Partial<ResponsesClient>;

/** The client that was given, or one of the official SDK, which is loaded only here. */
export function connect(
  options: OpenAIAccess & {
    readonly client?: GivenClient<OpenAIClient> | undefined;
    readonly proxy?: string | undefined;
  },
): Promise<Connected<OpenAIClient>> {
  return connectClient<OpenAIClient>(options, async (through) => {
    const { default: OpenAI } = await import('openai');
    return new OpenAI({ ...openAIClientOptions(options), ...through });
  });
}
