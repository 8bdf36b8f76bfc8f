import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenAIDouble, type OpenAIDoubleOptions, specSchemas, startOpenAIDouble } from '../src/index.js';

let double: OpenAIDouble | undefined;
afterEach(async () => {
  await double?.close();
  double = undefined;
});

async function clientOf(options: OpenAIDoubleOptions = {}): Promise<OpenAI> {
  double = await startOpenAIDouble(options);
  return new OpenAI({ apiKey: 'test-key', baseURL: double.baseURL, maxRetries: 0 });
}

const small = { model: 'text-embedding-3-small' };

function similarity(a: readonly number[] = [], b: readonly number[] = []): number {
  return a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);
}

describe('embeddings of the double', () => {
  it('are read by the official SDK, in either format, and are as the published description says', async () => {
    const client = await clientOf();
    const input = ['one alpaca', 'two alpacas'];
    const asNumbers = await client.embeddings.create({ ...small, input, encoding_format: 'float' });
    const packed = await client.embeddings.create({ ...small, input });
    expect(specSchemas().problems('CreateEmbeddingResponse', asNumbers)).toEqual([]);
    expect(asNumbers.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 1_536],
      [1, 1_536],
    ]);
    expect([...(packed.data[0]?.embedding ?? [])]).toEqual(asNumbers.data[0]?.embedding);
    expect(asNumbers.usage.total_tokens).toBeGreaterThan(3);
  });

  it('have length 1, and are nearer the more words are shared', async () => {
    const client = await clientOf();
    const input = ['the vet saw the alpaca', 'the vet saw the dog', 'blue colour'];
    const { data } = await client.embeddings.create({ ...small, input, encoding_format: 'float' });
    const [vet, dog, colour] = data.map(({ embedding }) => embedding);
    expect(similarity(vet, vet)).toBeCloseTo(1, 5);
    expect(similarity(vet, dog)).toBeGreaterThan(similarity(vet, colour) + 0.2);
  });

  it.each([
    ['an empty text', { ...small, input: ['good', ''] }, /empty string/],
    ['a text over the limit of the model', { ...small, input: ['word '.repeat(9_000)] }, /maximum context/],
    [
      'more tokens than a request may hold',
      { ...small, input: Array(40).fill('word '.repeat(8_000)) },
      /max 300000/,
    ],
    ['more texts than a request may hold', { ...small, input: Array(2_049).fill('a') }, /2048/],
    ['a model that is not there', { model: 'text-embedding-9', input: 'a' }, /does not exist/],
    [
      'dimensions where the model has one',
      { model: 'text-embedding-ada-002', input: 'a', dimensions: 4 },
      /dimensions/,
    ],
    ['more dimensions than there are', { ...small, input: 'a', dimensions: 4_000 }, /1536/],
  ])('are refused for %s', async (_title, body, why) => {
    const client = await clientOf();
    await expect(client.embeddings.create(body as never)).rejects.toThrow(why);
  });

  it('fail as they are told to', async () => {
    const fault = (n: number) =>
      n === 0
        ? ({ kind: 'status', status: 503 } as const)
        : ({ kind: 'data', change: (data: readonly object[]) => data.toReversed() } as const);
    const client = await clientOf({ embeddings: { fault } });
    const request = { ...small, input: ['a', 'b'], encoding_format: 'float' as const };
    await expect(client.embeddings.create(request)).rejects.toMatchObject({ status: 503 });
    const { data } = await client.embeddings.create(request);
    expect(data.map(({ index }) => index)).toEqual([1, 0]);
  });
});
