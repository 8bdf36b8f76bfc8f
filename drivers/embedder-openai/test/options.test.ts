import { Container } from 'inversify';
import { type Bill, EMBEDDER } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { createOpenAIEmbedder } from '../src/index.js';
import { embedderOpenAIModule } from '../src/module.js';
import { embedderOn } from './support.js';

describe('options', () => {
  it.each([
    ['a key that is missing for OpenAI itself', {}, /apiKey: missing/],
    ['an unknown option', { apiKey: 'k', modle: 'x' }, /modle.*did you mean "model"/],
    ['a model of unknown dimension', { apiKey: 'k', model: 'bge-m3' }, /dimension: missing.*bge-m3/],
    ['more numbers than the model gives', { apiKey: 'k', dimension: 2_000 }, /2000.*1536/],
    [
      'fewer numbers than a model gives that cannot shorten',
      { apiKey: 'k', model: 'text-embedding-ada-002', dimension: 100 },
      /1536/,
    ],
    [
      'an extra body that breaks the protocol',
      { apiKey: 'k', extraBody: { input: [] } },
      /extraBody.*may not set/,
    ],
    ['an address without http', { baseURL: 'localhost:8080' }, /baseURL.*http/],
  ])('are refused at construction: %s', (_title, options, why) => {
    const create = () => createOpenAIEmbedder(options);
    expect(create).toThrow(why);
    expect(create).toThrow(expect.objectContaining({ code: 'E_CONFIG' }));
  });

  it('send headers and further fields', async () => {
    const { embedder, double } = await embedderOn(
      {},
      { headers: { 'x-team': 'pages' }, extraBody: { user: 'u1' } },
    );
    await embedder.embed(['a']);
    expect(double.requests[0]).toMatchObject({ headers: { 'x-team': 'pages' }, body: { user: 'u1' } });
  });

  it('tell what each request used, at the price of the table or the one given', async () => {
    const { embedder } = await embedderOn({}, { batchTexts: 2 });
    const bills: Bill[] = [];
    await embedder.embed(['one', 'two', 'three'], undefined, 'document', (bill) => void bills.push(bill));
    expect(bills).toHaveLength(2);
    for (const { usage } of bills) {
      expect(usage.plain).toBeGreaterThan(0);
      expect(usage).toMatchObject({ cached: 0, written: 0, output: 0 });
    }
    const price = (options: object) => createOpenAIEmbedder({ apiKey: 'k', ...options }).supports.price;
    expect(price({})).toBe(0.02);
    expect(price({ price: 7 })).toBe(7);
    expect(price({ model: 'bge-m3', dimension: 8 })).toBeUndefined();
  });

  it('take a client of yours, as it is or by a function', async () => {
    const answers: unknown[] = [];
    const client = {
      embeddings: {
        create: (body: unknown) => {
          answers.push(body);
          return Promise.resolve({ data: [{ index: 0, embedding: [0, 1] }] });
        },
      },
    };
    for (const given of [client, () => client]) {
      const embedder = createOpenAIEmbedder({ client: given, model: 'mine', dimension: 2 });
      await embedder.open();
      expect(await embedder.embed(['a'])).toEqual([Float32Array.of(0, 1)]);
      await embedder.close();
    }
    expect(answers).toHaveLength(2);
  });

  it('reach the embedder through the container module, once', () => {
    const container = new Container();
    container.load(embedderOpenAIModule({ apiKey: 'k' }));
    const embedder = container.get(EMBEDDER);
    expect(embedder).toMatchObject({ kind: 'embedder', name: 'embedder-openai', specVersion: 1 });
    expect(container.get(EMBEDDER)).toBe(embedder);
  });
});
