import { conformArchival } from '@pagefault/conformance';
import { type QdrantDouble, startQdrantDouble } from '@pagefault/doubles';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createQdrantArchival } from '../src/index.js';

const dimension = 4;
let cases = 0;

describe('on the double', () => {
  let double: QdrantDouble;
  beforeAll(async () => void (double = await startQdrantDouble()));
  afterAll(() => double.close());

  conformArchival({
    name: 'qdrant',
    create: () => ({
      driver: createQdrantArchival({ url: double.url, dimension, collection: `case-${(cases += 1)}` }),
      dimension,
    }),
    unopened: () => createQdrantArchival({ dimension }),
  });
});

const url = process.env['PAGEFAULT_QDRANT_URL'];
const apiKey = process.env['PAGEFAULT_QDRANT_API_KEY'];

describe('on a real server', () => {
  if (url === undefined)
    return it('is tested when PAGEFAULT_QDRANT_URL names one', ({ skip }) =>
      skip('PAGEFAULT_QDRANT_URL is not set'));
  const run = `pagefault-${Date.now()}`;
  const access = { url, ...(apiKey !== undefined && { apiKey }) };
  conformArchival({
    name: 'qdrant',
    create: () => ({
      driver: createQdrantArchival({ ...access, dimension, collection: `${run}-${(cases += 1)}` }),
      dimension,
    }),
    destroy: async () => {
      const headers: Record<string, string> = apiKey === undefined ? {} : { 'api-key': apiKey };
      await fetch(`${url}/collections/${run}-${cases}`, { method: 'DELETE', headers });
    },
  });
});
