import {
  type Connected,
  connectClient,
  type GivenClient,
  type OpenAIAccess,
  openAIClientOptions,
} from '@pagefault/driver-kit';
import type OpenAI from 'openai';

export type EmbeddingsBody = OpenAI.Embeddings.EmbeddingCreateParams;

/** The slice of the official SDK that the driver uses. */
export interface EmbeddingsClient {
  readonly embeddings: {
    create(
      body: EmbeddingsBody,
      options: { signal: AbortSignal; maxRetries: number; timeout: number },
    ): PromiseLike<unknown>;
  };
}

/** The client that was given, or one of the official SDK, which is loaded only here. */
export function connect(
  options: OpenAIAccess & {
    readonly client?: GivenClient<EmbeddingsClient> | undefined;
    readonly proxy?: string | undefined;
  },
): Promise<Connected<EmbeddingsClient>> {
  return connectClient<EmbeddingsClient>(options, async (through) => {
    const { default: OpenAI } = await import('openai');
    return new OpenAI({ ...openAIClientOptions(options), ...through });
  });
}
