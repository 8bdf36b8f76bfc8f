/** For `pagefault-conform`. */
import type { Initializer } from '@pagefault/conformance';
import { createOpenAIEmbedder } from '../src/index.js';
import { createInstance, type DoubleInstance } from './instance.js';

export default {
  kind: 'embedder',
  name: 'embedder-openai',
  create: createInstance,
  destroy: (instance) => (instance as DoubleInstance).end(),
  unopened: () => createOpenAIEmbedder({ apiKey: 'k' }),
} satisfies Initializer;
