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
    create: () => {
      const collection = `case-${(cases += 1)}`;
      const resized = (other: number) =>
        createQdrantArchival({ url: double.url, dimension: other, collection });
      return { driver: resized(dimension), dimension, resized };
    },
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
    create: () => {
      const collection = `${run}-${(cases += 1)}`;
      const resized = (other: number) => createQdrantArchival({ ...access, dimension: other, collection });
      return { driver: resized(dimension), dimension, resized };
    },
    destroy: async () => {
      const headers: Record<string, string> = apiKey === undefined ? {} : { 'api-key': apiKey };
      for (const rest of ['', `.of-${dimension}`, `.of-${dimension + 1}`])
        await fetch(`${url}/collections/${run}-${cases}${rest}`, { method: 'DELETE', headers });
    },
  });
});
