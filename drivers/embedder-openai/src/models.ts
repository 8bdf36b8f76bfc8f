import type { Tokens } from '@pagefault/contracts';

export interface EmbeddingModel {
  /** Numbers a vector when no `dimensions` is sent. */
  readonly dimension: number;
  /** Tokens of one text. */
  readonly maxTokens: Tokens;
  /** Whether the service gives shorter vectors on request. */
  readonly canShorten: boolean;
  /** US dollars per million tokens. */
  readonly price: number;
}

/**
 * OpenAI's models with their prices, as its guide on embeddings lists them (November 2026). Options go before this table. Of a model that
 * is not here the option `dimension` must be said.
 */
export const MODELS: Readonly<Record<string, EmbeddingModel>> = {
  'text-embedding-3-small': { dimension: 1_536, maxTokens: 8_191, canShorten: true, price: 0.02 },
  'text-embedding-3-large': { dimension: 3_072, maxTokens: 8_191, canShorten: true, price: 0.13 },
  'text-embedding-ada-002': { dimension: 1_536, maxTokens: 8_191, canShorten: false, price: 0.1 },
};
