/** For `pagefault-conform`. */
import type { Initializer } from '@pagefault/conformance';
import { createOpenAIProcessor } from '../src/index.js';
import type { Api } from '../src/options.js';
import { createInstance, type DoubleInstance } from './instance.js';

const suite = (api: Api): Initializer => ({
  kind: 'processor',
  name: `processor-openai by ${api}`,
  create: () => createInstance({ api }),
  destroy: (instance) => (instance as DoubleInstance).end(),
  unopened: () => createOpenAIProcessor({ model: 'm', baseURL: 'http://127.0.0.1:9', api }),
});

export default [suite('chat'), suite('responses')];
