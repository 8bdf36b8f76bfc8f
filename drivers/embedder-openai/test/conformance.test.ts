import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { conformEmbedder } from '@pagefault/conformance';
import { describe, expect, it } from 'vitest';
import { createOpenAIEmbedder } from '../src/index.js';
import { createInstance, type DoubleInstance } from './instance.js';
import { embedderOn, similarity } from './support.js';

conformEmbedder({
  name: 'embedder-openai',
  create: createInstance,
  destroy: (instance) => (instance as DoubleInstance).end(),
  unopened: () => createOpenAIEmbedder({ apiKey: 'k' }),
});

const status = (code: number, headers = {}) => ({ kind: 'status', status: code, headers }) as const;
const data = (change: (data: readonly object[]) => readonly unknown[]) => ({ kind: 'data', change }) as const;

describe('the head', () => {
  it('says what the driver is, frozen, before it is opened', () => {
    const embedder = createOpenAIEmbedder({ apiKey: 'k' });
    expect(embedder).toMatchObject({ kind: 'embedder', name: 'embedder-openai', specVersion: 1 });
    expect(embedder.supports).toEqual({
      dimension: 1_536,
      maxTokens: 8_191,
      price: 0.02,
      fingerprint: 'text-embedding-3-small/1536/w1',
    });
    expect(Object.isFrozen(embedder.supports)).toBe(true);
  });

  it('has another fingerprint for other weights and for shorter vectors', () => {
    const print = (options: object) => createOpenAIEmbedder({ apiKey: 'k', ...options }).supports.fingerprint;
    const prints = [
      {},
      { dimension: 256 },
      { model: 'text-embedding-3-large' },
      { fingerprint: 'tuned' },
    ].map(print);
    expect(new Set(prints).size).toBe(4);
  });
});

describe('vectors', () => {
  it('come in the order of the texts and have length 1', async () => {
    const { embedder } = await embedderOn();
    const texts = ['the vet saw the alpaca', 'blue colour', 'the vet saw the dog'];
    const vectors = await embedder.embed(texts);
    expect(vectors.map((vector) => vector.length)).toEqual([1_536, 1_536, 1_536]);
    for (const vector of vectors) expect(similarity(vector, vector)).toBeCloseTo(1, 6);
    expect(similarity(vectors[0], vectors[2])).toBeGreaterThan(similarity(vectors[0], vectors[1]) + 0.2);
  });

  it('have the order of the texts also when the server turns it round', async () => {
    const straight = await embedderOn();
    const turned = await embedderOn({ fault: () => data((all) => all.toReversed()) });
    const texts = ['one', 'two', 'three'];
    expect(await turned.embedder.embed(texts)).toEqual(await straight.embedder.embed(texts));
  });

  it('are read without an index, as some compatible servers answer', async () => {
    const { embedder } = await embedderOn({
      fault: () => data((all) => all.map((each) => ({ ...each, index: undefined }))),
    });
    expect(await embedder.embed(['one', 'two'])).toHaveLength(2);
  });

  it('are shortened by the service when a smaller dimension is asked for', async () => {
    const { embedder, double } = await embedderOn({}, { dimension: 64 });
    const [vector] = await embedder.embed(['hello']);
    expect(vector).toHaveLength(64);
    expect(double.requests[0]?.body).toMatchObject({ dimensions: 64 });
  });

  it('are nothing for nothing, and nothing is sent', async () => {
    const { embedder, double } = await embedderOn();
    expect(await embedder.embed([])).toEqual([]);
    expect(double.requests).toEqual([]);
  });

  it.each(['', ' \n\t'])(
    'are refused for %j, naming its place, before anything is sent (B32)',
    async (bad) => {
      const { embedder, double } = await embedderOn();
      await expect(embedder.embed(['good', bad])).rejects.toMatchObject({
        code: 'E_INVALID',
        message: expect.stringContaining('texts[1]'),
      });
      expect(double.requests).toEqual([]);
    },
  );

  it('are of the texts as they were when it was called', async () => {
    const { embedder, inputs } = await embedderOn();
    const texts = ['one', 'two'];
    const work = embedder.embed(texts);
    texts[0] = '';
    await work;
    expect(inputs()).toEqual([['one', 'two']]);
  });
});

describe('batches', () => {
  it('hold no more texts and no more tokens than they may, and keep the order', async () => {
    const { embedder, inputs } = await embedderOn({ maxTexts: 3 }, { batchTexts: 3, batchTokens: 40 });
    const texts = Array.from({ length: 8 }, (_, n) => `text ${n}${n === 3 ? ' word'.repeat(38) : ''}`);
    const vectors = await embedder.embed(texts);
    expect(inputs().map((input) => input.length)).toEqual([3, 1, 3, 1]);
    const alone = await embedderOn();
    expect(vectors).toEqual(await alone.embedder.embed(texts));
  });

  it('are halved when the server takes less than was thought', async () => {
    const { embedder, inputs } = await embedderOn({ maxRequestTokens: 10 });
    const texts = ['one two three', 'four five six', 'seven eight nine', 'ten eleven twelve'];
    const error = { fault: () => undefined };
    const whole = await embedderOn(error);
    expect(await embedder.embed(texts)).toEqual(await whole.embedder.embed(texts));
    expect(inputs().at(-1)).toHaveLength(2);
  });
});

describe('prefixes', () => {
  const options = { queryPrefix: 'query: ', documentPrefix: 'passage: ', maxTokens: 32, maxWindows: 64 };

  it('are put before questions and documents, each by its own', async () => {
    const { embedder, inputs } = await embedderOn({}, options);
    await embedder.embed(['who?', 'what?'], undefined, 'query');
    await embedder.embed(['me']);
    expect(inputs()).toEqual([['query: who?', 'query: what?'], ['passage: me']]);
  });

  it('are put before every window of a long text, and leave it room', async () => {
    const { embedder, inputs } = await embedderOn({ maxTokens: 32 }, options);
    await embedder.embed(['alpaca '.repeat(100)]);
    expect(inputs().flat().length).toBeGreaterThan(3);
    expect(
      inputs()
        .flat()
        .every((window) => window.startsWith('passage: alpaca')),
    ).toBe(true);
  });

  it('before documents are part of the fingerprint, and before questions are not', () => {
    const print = (more: object) => createOpenAIEmbedder({ apiKey: 'k', ...more }).supports.fingerprint;
    expect(print({ queryPrefix: 'q' })).toBe(print({}));
    expect(new Set([{}, { documentPrefix: 'a' }, { documentPrefix: 'b' }].map(print)).size).toBe(3);
  });
});

describe('a long text', () => {
  it('that is white space but for one word is that word', async () => {
    const { embedder, inputs } = await embedderOn({ maxTokens: 32 }, { maxTokens: 32, maxWindows: 4 });
    const space = ' '.repeat(100_000);
    await embedder.embed([`${space}alpaca${space}`]);
    expect(inputs()).toEqual([['alpaca']]);
  });

  it('is cut into windows, whose vectors are averaged by their tokens', async () => {
    const { embedder, inputs } = await embedderOn({ maxTokens: 32 }, { maxTokens: 32 });
    const long = `${'alpaca '.repeat(60)}${'dog '.repeat(20)}`;
    const [vector] = await embedder.embed([long]);
    expect(inputs()[0]?.length).toBeGreaterThan(2);
    const [alpaca, dog] = await embedder.embed(['alpaca', 'dog']);
    expect(similarity(vector, vector)).toBeCloseTo(1, 6);
    expect(similarity(vector, alpaca)).toBeGreaterThan(similarity(vector, dog));
    expect(similarity(vector, dog)).toBeGreaterThan(0.1);
  });

  it('costs no more windows than it may, spread over all of it', async () => {
    const { embedder, inputs } = await embedderOn({ maxTokens: 32 }, { maxTokens: 32, maxWindows: 4 });
    const long = Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' ');
    await embedder.embed([long]);
    const windows = inputs()[0] ?? [];
    expect(windows).toHaveLength(4);
    expect(windows[0]).toMatch(/^w0 /);
    expect(windows[3]).toMatch(/w1999\d/);
  });

  it('of one unbroken run of characters outside the basic plane is cut between characters', async () => {
    const { embedder, inputs } = await embedderOn({ maxTokens: 32 }, { maxTokens: 32, maxWindows: 64 });
    await embedder.embed(['🦙'.repeat(100)]);
    const windows = inputs()[0] ?? [];
    expect(windows.join('')).toBe('🦙'.repeat(100));
    expect(windows.every((window) => window.isWellFormed())).toBe(true);
  });

  it('is halved when the server counts more tokens than the driver', async () => {
    const { embedder } = await embedderOn(
      { models: { bert: 8 }, maxTokens: 20 },
      { model: 'bert', dimension: 8, maxTokens: 64 },
    );
    const [vector] = await embedder.embed(['one two three four five six seven eight nine ten '.repeat(8)]);
    expect(similarity(vector, vector)).toBeCloseTo(1, 6);
  });

  it('holds what looks like a special token as plain text (A31)', async () => {
    const { embedder } = await embedderOn();
    expect(await embedder.embed(['<|endoftext|> and more'])).toHaveLength(1);
  });
});

describe('failures', () => {
  it.each([
    [429, 'E_RATE_LIMITED'],
    [500, 'E_OVERLOADED'],
    [503, 'E_OVERLOADED'],
    [408, 'E_TIMEOUT'],
  ])('of status %i are tried again, and told as %s when they stay (C18)', async (code, ours) => {
    const once = await embedderOn({ fault: (n) => (n === 0 ? status(code) : undefined) });
    expect(await once.embedder.embed(['a'])).toHaveLength(1);
    const always = await embedderOn({ fault: () => status(code) }, { attempts: 3 });
    await expect(always.embedder.embed(['a'])).rejects.toMatchObject({ code: ours });
    expect(always.double.requests).toHaveLength(3);
  });

  it.each([400, 404, 422])('of status %i are not tried again (C18)', async (code) => {
    const { embedder, double } = await embedderOn({ fault: () => status(code) });
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'E_REQUEST' });
    expect(double.requests).toHaveLength(1);
  });

  it('wait as long as the server asks (C17)', async () => {
    const fault = (n: number) => (n === 0 ? status(429, { 'retry-after': '7' }) : undefined);
    const { embedder, slept } = await embedderOn({ fault });
    await embedder.embed(['a']);
    expect(slept).toEqual([7_000]);
  });

  it('repeat only the batch that failed', async () => {
    const fault = (n: number) => (n === 1 ? status(503) : undefined);
    const { embedder, inputs } = await embedderOn({ fault }, { batchTexts: 1 });
    await embedder.embed(['a', 'b', 'c']);
    expect(inputs().flat()).toEqual(['a', 'b', 'b', 'c']);
  });

  it('of the key name it without showing it (E12)', async () => {
    const { embedder } = await embedderOn({}, {}, 'sk-a-very-secret-key');
    const error: unknown = await embedder.embed(['a']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'E_AUTH', hint: expect.stringContaining('OPENAI_API_KEY') });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/very-secret/);
  });

  it.each([
    ['a vector too few', (all: readonly object[]) => all.slice(1), 'E_PROTOCOL'],
    ['a vector twice', (all: readonly object[]) => [all[0], all[0]], 'E_PROTOCOL'],
    [
      'an index that is none',
      (all: readonly object[]) => all.map((each) => ({ ...each, index: 7 })),
      'E_PROTOCOL',
    ],
    [
      'a zero vector',
      (all: readonly object[]) => all.map((each) => ({ ...each, embedding: Array(1_536).fill(0) })),
      'E_PROTOCOL',
    ],
    [
      'a vector with a hole',
      (all: readonly object[]) =>
        all.map((each) => ({ ...each, embedding: [null, ...Array(1_535).fill(1)] })),
      'E_PROTOCOL',
    ],
    [
      'shorter vectors',
      (all: readonly object[]) => all.map((each) => ({ ...each, embedding: [1, 0] })),
      'E_DIMENSION',
    ],
    [
      'packed numbers that nobody asked for',
      (all: readonly object[]) => all.map((each) => ({ ...each, embedding: 'AAAA' })),
      'E_PROTOCOL',
    ],
  ])('are told when a server answers with %s', async (_title, change, code) => {
    const { embedder } = await embedderOn({ fault: () => data(change) });
    await expect(embedder.embed(['a', 'b'])).rejects.toMatchObject({ code, driver: 'embedder-openai' });
  });
});

describe('lifecycle and signals', () => {
  it('may be opened and closed twice, and opened again', async () => {
    const { embedder } = await embedderOn();
    await embedder.open();
    await embedder.close();
    await embedder.close();
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await embedder.open();
    expect(await embedder.embed(['a'])).toHaveLength(1);
  });

  it('ends a request under way by the signal, and by close (C16)', async () => {
    const { embedder, double } = await embedderOn({ fault: () => ({ kind: 'no-answer' }) });
    const stop = new AbortController();
    const stopped = embedder.embed(['a'], stop.signal);
    const closed = embedder.embed(['a']);
    const outcomes = Promise.allSettled([stopped, closed]);
    while (double.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await embedder.close();
    const codes = (await outcomes).map((each) => each.status === 'rejected' && each.reason.code);
    expect(codes).toEqual(['E_ABORTED', 'E_ABORTED']);
  });

  it('ends a request that nothing is heard of (C16)', async () => {
    const { embedder } = await embedderOn(
      { fault: () => ({ kind: 'no-answer' }) },
      { idleTimeout: 5, attempts: 2 },
    );
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  });

  it('leaves no listener on a signal that serves many calls (C19)', async () => {
    const { embedder } = await embedderOn();
    const { signal } = new AbortController();
    for (let n = 0; n < 20; n += 1) await embedder.embed(['a'], signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('does nothing with a signal that has fired', async () => {
    const { embedder, double } = await embedderOn();
    await expect(embedder.embed(['a'], AbortSignal.abort())).rejects.toMatchObject({ code: 'E_ABORTED' });
    expect(double.requests).toEqual([]);
  });
});
