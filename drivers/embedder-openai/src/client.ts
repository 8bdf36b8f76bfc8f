import { type OpenAIAccess, openAIClientOptions } from '@pagefault/driver-kit';
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

/** A client of the caller's, or a function that gives one. */
export type GivenClient = EmbeddingsClient | (() => Promise<EmbeddingsClient> | EmbeddingsClient);

/** The client that was given, or one of the official SDK, which is loaded only here. */
export async function connect(
  options: OpenAIAccess & { readonly client?: GivenClient | undefined },
): Promise<EmbeddingsClient> {
  const { client } = options;
  if (typeof client === 'function') return client();
  if (client !== undefined) return client;
  const { default: OpenAI } = await import('openai');
  return new OpenAI(openAIClientOptions(options));
}
