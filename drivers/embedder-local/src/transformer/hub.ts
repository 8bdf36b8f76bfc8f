import type { TransformerFacts } from './facts.js';

const RETRIEVAL = 'Represent this sentence for searching relevant passages: ';

/**
 * Hub models that need no further option, by what their pages say (November 2026). Of any other say `dimension`, `maxTokens` and
 * `pooling`.
 */
export const HUB_MODELS: Readonly<Record<string, Partial<TransformerFacts>>> = {
  'Xenova/all-MiniLM-L6-v2': { dimension: 384, maxTokens: 256, pooling: 'mean' },
  'Xenova/bge-small-en-v1.5': { dimension: 384, maxTokens: 512, pooling: 'cls', queryPrefix: RETRIEVAL },
  'Xenova/bge-base-en-v1.5': { dimension: 768, maxTokens: 512, pooling: 'cls', queryPrefix: RETRIEVAL },
  'Xenova/multilingual-e5-small': {
    dimension: 384,
    maxTokens: 512,
    pooling: 'mean',
    queryPrefix: 'query: ',
    documentPrefix: 'passage: ',
  },
  'Xenova/paraphrase-multilingual-MiniLM-L12-v2': { dimension: 384, maxTokens: 128, pooling: 'mean' },
  'nomic-ai/nomic-embed-text-v1.5': {
    dimension: 768,
    maxTokens: 8_192,
    pooling: 'mean',
    queryPrefix: 'search_query: ',
    documentPrefix: 'search_document: ',
  },
};
