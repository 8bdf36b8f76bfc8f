/** The driver over its double, as the suite of embedders wants it. */
import type { EmbedderInstance } from '@pagefault/conformance';
import { startOpenAIDouble } from '@pagefault/doubles';
import { createOpenAIEmbedder } from '../src/index.js';

export interface DoubleInstance extends EmbedderInstance {
  end(): Promise<void>;
}

/** A model with small limits, so that many batches and windows are needed. */
const LIMITS = { maxTokens: 64, maxTexts: 50, maxRequestTokens: 1_500 };

export async function createInstance(): Promise<DoubleInstance> {
  let waits: (() => void) | undefined;
  const double = await startOpenAIDouble({
    embeddings: {
      ...LIMITS,
      fault: () => {
        waits?.();
        return waits && { kind: 'no-answer' };
      },
    },
  });
  return {
    driver: createOpenAIEmbedder({
      apiKey: 'test-key',
      baseURL: double.baseURL,
      maxTokens: LIMITS.maxTokens,
      queryPrefix: 'question: ',
      batchTexts: LIMITS.maxTexts,
      batchTokens: LIMITS.maxRequestTokens,
    }),
    silence: () => new Promise((resolve) => (waits = resolve)),
    held: () => double.answering(),
    end: () => double.close(),
  };
}
