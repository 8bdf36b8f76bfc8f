/** Sentence transformers from a folder, by the real library on a model of a few kilobytes. */
import { getEventListeners } from 'node:events';
import { basename, join } from 'node:path';
import { conformEmbedder } from '@pagefault/conformance';
import type { EmbedderDriver } from '@pagefault/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLocalEmbedderOver } from '../src/driver.js';
import { createLocalEmbedder, type LocalEmbedderOptions } from '../src/index.js';
import { loadTransformers, type Transformers } from '../src/transformer/library.js';
import { cosine, gate, largestDifference, temporaryFolder } from './support.js';
import { PIECES, rowOf, TINY_WIDTH, type TinyOptions, writeTinyModel } from './tiny-model.js';

const root = temporaryFolder();
let folders = 0;
const tiny = (options?: TinyOptions) => writeTinyModel(join(root(), `model-${++folders}`), options);

let model = '';
beforeAll(async () => {
  model = await tiny();
});

/** Embeds with a driver that lives for this call alone. */
async function embedBy(
  options: LocalEmbedderOptions,
  texts: readonly string[],
  purpose?: 'query' | 'document',
): Promise<readonly Float32Array[]> {
  const embedder = createLocalEmbedder({ model, ...options });
  await embedder.open();
  try {
    return await embedder.embed(texts, undefined, purpose);
  } finally {
    await embedder.close();
  }
}

/** What the graph gives for these pieces, put together by hand. */
function expected(pieces: readonly string[], seed = 1): Float32Array {
  const sum = new Float32Array(TINY_WIDTH);
  for (const piece of pieces)
    rowOf(PIECES.indexOf(piece), seed).forEach((n, i) => (sum[i] = (sum[i] ?? 0) + n));
  const length = Math.hypot(...sum);
  return sum.map((n) => n / length);
}

function near(actual: Float32Array | undefined, wanted: Float32Array): void {
  expect(largestDifference(actual, wanted)).toBeLessThan(1e-5);
}

/** The real library; counts the sessions that are open. */
function counting(): { readonly load: () => Promise<Transformers>; open: () => number } {
  let open = 0;
  const load = async (): Promise<Transformers> => {
    const { AutoTokenizer, AutoModel } = await loadTransformers();
    return {
      AutoTokenizer,
      AutoModel: {
        async from_pretrained(...from) {
          const real = await AutoModel.from_pretrained(...from);
          open += 1;
          return Object.assign((inputs: Parameters<typeof real>[0]) => real(inputs), {
            dispose: () => real.dispose().finally(() => (open -= 1)),
          });
        },
      },
    };
  };
  return { load, open: () => open };
}

conformEmbedder({
  name: 'embedder-local on a folder',
  create: () => {
    const { load, open } = counting();
    return { driver: createLocalEmbedderOver(load, { model, batchSize: 4 }), held: open };
  },
  unopened: () => createLocalEmbedder({ model }),
});

describe('a folder', () => {
  it('tells dimension, limit and pooling itself, before it is opened', async () => {
    expect(createLocalEmbedder({ model }).supports).toMatchObject({ dimension: TINY_WIDTH, maxTokens: 32 });
    near((await embedBy({}, ['The vet saw']))[0], expected(['[CLS]', 'the', 'vet', 'saw', '[SEP]']));
  });

  it('gives padding no weight, whatever its vector', async () => {
    const [short] = await embedBy({}, ['vet', 'the vet saw our alpaca on monday morning']);
    near(short, expected(['[CLS]', 'vet', '[SEP]']));
  });

  it.each([
    ['cls', { pooling_mode_cls_token: true }, ['[CLS]']],
    ['last', { pooling_mode_lasttoken: true }, ['[SEP]']],
    ['mean', { pooling_mode: 'mean' }, ['[CLS]', 'vet', '[SEP]']],
  ] as const)(
    'is pooled by %s when it says so, and when the option does',
    async (pooling, config, pieces) => {
      const other = await tiny({
        files: { '1_Pooling/config.json': { ...config, word_embedding_dimension: TINY_WIDTH } },
      });
      const beside = 'the vet saw our alpaca';
      near((await embedBy({ model: other }, ['vet', beside]))[0], expected(pieces));
      near((await embedBy({ pooling }, ['vet', beside]))[0], expected(pieces));
    },
  );

  it('is pooled by its own graph when that is asked for', async () => {
    const [vector] = await embedBy({ pooling: 'graph' }, ['vet']);
    near(
      vector,
      expected(['[CLS]', 'vet', '[SEP]']).map((n) => -n),
    );
  });

  it('may hold the graph beside its other files', async () => {
    const [vector] = await embedBy({ model: await tiny({ graph: 'model.onnx' }) }, ['vet']);
    near(vector, expected(['[CLS]', 'vet', '[SEP]']));
  });

  it('is run in the number format that is chosen, by the name of its file', async () => {
    const other = await tiny({ graph: 'onnx/model_quantized.onnx' });
    expect(await embedBy({ model: other, dtype: 'q8' }, ['vet'])).toHaveLength(1);
    expect(() => createLocalEmbedder({ model: other })).toThrow(/dtype: .* has no weights of fp32/);
  });

  it('puts its prompts before texts, and options go before them', async () => {
    const prompts = { prompts: { query: 'query: ', passage: 'passage: ' } };
    const other = await tiny({ files: { 'config_sentence_transformers.json': prompts } });
    const of = (word: string) => expected(['[CLS]', word, ':', 'vet', '[SEP]']);
    near((await embedBy({ model: other }, ['vet']))[0], of('passage'));
    near((await embedBy({ model: other }, ['vet'], 'query'))[0], of('query'));
    const own = { model: other, queryPrefix: 'our: ', documentPrefix: '' };
    near((await embedBy(own, ['vet'], 'query'))[0], of('our'));
    near((await embedBy(own, ['vet']))[0], expected(['[CLS]', 'vet', '[SEP]']));
  });

  it('has the prefix before every window of a long text', async () => {
    const [long] = await embedBy({ documentPrefix: 'passage: ' }, ['vet '.repeat(300)]);
    const [window] = await embedBy({ documentPrefix: 'passage: ' }, ['vet '.repeat(28)]);
    expect(cosine(long, window)).toBeGreaterThan(0.99);
  });
});

describe('the fingerprint', () => {
  const print = (options: LocalEmbedderOptions): string =>
    createLocalEmbedder({ model, ...options }).supports.fingerprint;

  it('is that of the content: the same for a copy, another for other weights', async () => {
    expect(print({ model: await tiny() })).toBe(print({}));
    expect(print({ model: await tiny({ seed: 2 }) })).not.toBe(print({}));
    expect(print({ model: await tiny({ files: { 'tokenizer.json': '{}' } }) })).not.toBe(print({}));
  });

  it('is another for whatever changes the vector of a document, and the same for what does not', () => {
    const all = [
      {},
      { pooling: 'cls' },
      { maxTokens: 16 },
      { documentPrefix: 'passage: ' },
      { fingerprint: 'mine' },
    ] as const;
    expect(new Set(all.map(print)).size).toBe(all.length);
    expect(print({ queryPrefix: 'query: ', threads: 2, batchSize: 1 })).toBe(print({}));
  });

  it('of a hub model is its id, its revision and how it is used', () => {
    const id = 'Xenova/all-MiniLM-L6-v2';
    const prints = [{}, { revision: 'v2' }, { dtype: 'q8' }].map((options) =>
      print({ model: id, ...options } as object),
    );
    expect(prints[0]).toMatch(/^Xenova\/all-MiniLM-L6-v2@main\/[0-9a-f]{8}$/);
    expect(new Set(prints).size).toBe(3);
  });
});

describe('opening', () => {
  it('says which package is missing, and how to get it', async () => {
    const absent = () => loadTransformers(() => Promise.reject(new Error("Cannot find package 'x'")));
    await expect(createLocalEmbedderOver(absent, { model }).open()).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('@huggingface/transformers'),
      hint: 'npm install @huggingface/transformers',
    });
  });

  it('compares what the model gives with the dimension that was said, and lets the model go (B23)', async () => {
    const { load, open } = counting();
    const embedder = createLocalEmbedderOver(load, { model, dimension: 384 });
    await expect(embedder.open()).rejects.toMatchObject({
      code: 'E_DIMENSION',
      message: expect.stringMatching(/32 numbers.*384/),
    });
    expect(open()).toBe(0);
  });

  it('tells a folder that cannot be loaded by its name, and lets go what was', async () => {
    const other = await tiny({ files: { 'tokenizer.json': '{"model":{"type":"Nonsense"}}' } });
    const { load, open } = counting();
    await expect(createLocalEmbedderOver(load, { model: other }).open()).rejects.toMatchObject({
      code: 'E_STORAGE',
      message: expect.stringContaining(basename(other)),
    });
    expect(open()).toBe(0);
  });

  it('refuses a prefix that leaves no room for a text', async () => {
    const embedder: EmbedderDriver = createLocalEmbedder({ model, queryPrefix: 'vet '.repeat(30) });
    await expect(embedder.open()).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('queryPrefix'),
    });
  });

  it('asks for files of the disk alone, and gives the threads that were chosen', async () => {
    const asked: object[] = [];
    const load = async (): Promise<Transformers> => {
      const real = await loadTransformers();
      return {
        ...real,
        AutoModel: {
          from_pretrained: (from, options) => {
            asked.push({ from, ...options });
            return real.AutoModel.from_pretrained(from, options);
          },
        },
        AutoTokenizer: real.AutoTokenizer,
      };
    };
    const embedder = createLocalEmbedderOver(load, { model, threads: 2 });
    await embedder.open();
    await embedder.close();
    expect(asked).toMatchObject([
      { from: model, local_files_only: true, dtype: 'fp32', session_options: { intraOpNumThreads: 2 } },
    ]);
  });

  it('asks for a hub model by id and revision, into the cache folder', async () => {
    const asked: object[] = [];
    const record = (from: string, options: object): Promise<never> => {
      asked.push({ from, ...options });
      return Promise.reject(new Error('no network'));
    };
    const load = async () => ({
      AutoModel: { from_pretrained: record },
      AutoTokenizer: { from_pretrained: record },
    });
    const cacheDir = join(root(), 'cache');
    const options = { model: 'Xenova/bge-small-en-v1.5', revision: 'v1', dtype: 'q8', cacheDir } as const;
    const embedder = createLocalEmbedderOver(load, options);
    await expect(embedder.open()).rejects.toMatchObject({
      code: 'E_STORAGE',
      hint: expect.stringContaining('HF_TOKEN'),
      cause: { message: 'no network' },
    });
    const wanted = {
      from: 'Xenova/bge-small-en-v1.5',
      revision: 'v1',
      dtype: 'q8',
      cache_dir: join(cacheDir, 'models'),
    };
    expect(asked).toMatchObject([wanted, wanted]);
    expect(embedder.supports).toMatchObject({ dimension: 384, maxTokens: 512 });
  });

  it('is no longer waited for when it is aborted, and what it opens is let go by close (C19)', async () => {
    const { load, open } = counting();
    const [entered, leave] = [gate(), gate()];
    const slow = async (): Promise<Transformers> => {
      entered.open();
      await leave.passed;
      return load();
    };
    const embedder = createLocalEmbedderOver(slow, { model });
    const controller = new AbortController();
    const opening = embedder.open(controller.signal);
    await entered.passed;
    controller.abort('enough');
    await expect(opening).rejects.toMatchObject({ code: 'E_ABORTED', cause: 'enough' });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    leave.open();
    const { signal } = new AbortController();
    await embedder.open(signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(open()).toBe(1);
    await embedder.close();
    expect(open()).toBe(0);
  });
});
