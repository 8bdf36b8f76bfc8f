import { openAIClientOptions } from '@pagefault/driver-kit';
import type OpenAI from 'openai';
import type { Options } from './options.js';

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
export async function connect(options: Options): Promise<EmbeddingsClient> {
  const { client } = options;
  if (typeof client === 'function') return client();
  if (client !== undefined) return client;
  const { default: OpenAI } = await import('openai');
  return new OpenAI(openAIClientOptions(options));
}
