/** The driver on the next major version of the SDK: the peer range takes both. */
import { conformProcessor } from '@pagefault/conformance';
import OpenAI7 from 'openai-7';
import { describe } from 'vitest';
import type { OpenAIClient } from '../src/index.js';
import type { Api } from '../src/options.js';
import { createInstance, type DoubleInstance } from './instance.js';

/** As the driver makes its own: one layer of retries, and nothing from the environment. */
function clientOf(access: { readonly apiKey: string; readonly baseURL: string }): OpenAIClient {
  const client = new OpenAI7({
    ...access,
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
  });
  // The sources are checked with the types of 6; whoever has 7 installed has its types for both.
  return client as unknown as OpenAIClient;
}

describe.each<Api>(['chat', 'responses'])('by %s with openai 7', (api) => {
  conformProcessor({
    name: 'processor-openai',
    create: () => createInstance({ api, client: clientOf }),
    destroy: (instance) => (instance as DoubleInstance).end(),
  });
});
