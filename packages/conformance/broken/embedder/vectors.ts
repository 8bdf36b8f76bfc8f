/** Embedders whose vectors are wrong. */
import type { EmbedderDriver } from '@pagefault/contracts';
import type { Broken } from '../broken.js';
import { embedding } from './wrap.js';

const answersByLength: Broken<EmbedderDriver> = {
  rule: 'vectors come in the order of the texts',
  because: 'texts are sorted by length for the batches, and the vectors are not sorted back',
  wrap: (good) =>
    embedding(good, (texts, ...rest) =>
      good.embed(
        texts.toSorted((a, b) => a.length - b.length),
        ...rest,
      ),
    ),
  mustFail: [
    'vectors: come in the order of the texts, whatever their lengths',
    'vectors: of a text are the same alone, among others and twice in one call',
    'texts: one far over every limit is one vector, and keeps no other from its own (B32)',
    'calls: many at a time each get what they asked for',
  ],
};

const givesRawVectors: Broken<EmbedderDriver> = {
  rule: 'vectors have length 1',
  because: 'the model gives hidden states, and nobody brings them to length 1',
  wrap: (good) =>
    embedding(good, async (...call) => (await good.embed(...call)).map((each) => each.map((n) => n * 3))),
  mustFail: [
    'vectors: one a text, of the dimension that is told, finite and of length 1 (B16 B23)',
    'texts: no sign makes it fail: marks, half characters, NUL, special tokens, runs without a space (A31)',
    'texts: of one over the limit the beginning and the end count (B32)',
  ],
};

const tellsAnotherDimension: Broken<EmbedderDriver> = {
  rule: 'the dimension is that of the vectors',
  because: 'the manifest has the number of another model of the same family',
  wrap: (good) => ({
    ...good,
    supports: Object.freeze({ ...good.supports, dimension: good.supports.dimension / 2 }),
  }),
  mustFail: [
    'vectors: one a text, of the dimension that is told, finite and of length 1 (B16 B23)',
    'texts: no sign makes it fail: marks, half characters, NUL, special tokens, runs without a space (A31)',
    'texts: of one over the limit the beginning and the end count (B32)',
  ],
};

const minglesNeighbours: Broken<EmbedderDriver> = {
  rule: 'a vector depends on its text alone',
  because: 'padding of a batch is not masked, so the longest text colours the others',
  wrap: (good) =>
    embedding(good, async (...call) => {
      const all = await good.embed(...call);
      return all.map((each) => toUnit(each.map((n, at) => n + 0.2 * sum(all, at))));
    }),
  mustFail: [
    'vectors: come in the order of the texts, whatever their lengths',
    'vectors: of a text are the same alone, among others and twice in one call',
    'vectors: all of a call come, however many texts it has',
    'texts: one far over every limit is one vector, and keeps no other from its own (B32)',
    'calls: many at a time each get what they asked for',
  ],
};

const sharesItsCache: Broken<EmbedderDriver> = {
  rule: "a vector is the caller's own",
  because: 'vectors are cached by text, and the cached array itself is given out',
  wrap(good) {
    const cache = new Map<string, Float32Array>();
    return embedding(good, async (texts, ...rest) => {
      const fresh = await good.embed(texts, ...rest);
      return [...texts].map((text, at) => {
        const vector = cache.get(text) ?? fresh[at] ?? new Float32Array();
        cache.set(text, vector);
        return vector;
      });
    });
  },
  mustFail: [
    'vectors: what is done to one afterwards touches no other',
    'texts: are those of the moment of the call, and left alone',
  ],
};

const answersEachTextOnce: Broken<EmbedderDriver> = {
  rule: 'there is one vector a text, also for a text that comes twice',
  because: 'texts are made unique before they are sent',
  wrap: (good) => embedding(good, (texts, ...rest) => good.embed([...new Set(texts)], ...rest)),
  mustFail: ['vectors: of a text are the same alone, among others and twice in one call'],
};

const dropsWhatIsOver: Broken<EmbedderDriver> = {
  rule: 'all texts of a call are embedded',
  because: 'what is over the most of one request is cut off',
  wrap: (good) => embedding(good, (texts, ...rest) => good.embed(texts.slice(0, 256), ...rest)),
  mustFail: ['vectors: all of a call come, however many texts it has'],
};

const cutsLongTexts: Broken<EmbedderDriver> = {
  rule: 'all parts of a long text count',
  because: "the tokenizer's own truncation is left on",
  wrap: (good) =>
    embedding(good, (texts, ...rest) =>
      good.embed(
        texts.map((text) => text.slice(0, good.supports.maxTokens)),
        ...rest,
      ),
    ),
  mustFail: ['texts: of one over the limit the beginning and the end count (B32)'],
};

const poolsWithoutLength: Broken<EmbedderDriver> = {
  rule: 'vectors of long texts have length 1, too',
  because: 'the mean over the windows of a text is shorter than they are, and is not brought back',
  wrap: (good) =>
    embedding(good, async (texts, ...rest) => {
      const limit = good.supports.maxTokens * 10;
      const given = [...texts];
      const all = await good.embed(given, ...rest);
      return all.map((each, at) => ((given[at] ?? '').length > limit ? each.map((n) => n * 0.9) : each));
    }),
  mustFail: [
    'texts: no sign makes it fail: marks, half characters, NUL, special tokens, runs without a space (A31)',
    'texts: of one over the limit the beginning and the end count (B32)',
  ],
};

const hashesTexts: Broken<EmbedderDriver> = {
  rule: 'texts that share words are near each other',
  because: 'a stand-in for tests, which gives each text a direction by its hash, got into the stack',
  wrap: (good) =>
    embedding(good, async (texts, ...rest) => {
      const given = [...texts];
      await good.embed(given, ...rest);
      return given.map((text) => byHash(text, good.supports.dimension));
    }),
  mustFail: [
    'nearness: texts that share their words are nearer than others',
    'texts: of one over the limit the beginning and the end count (B32)',
  ],
};

function sum(vectors: readonly Float32Array[], at: number): number {
  return vectors.reduce((total, each) => total + (each[at] ?? 0), 0);
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((total, each) => total + each * each, 0));
  return vector.map((each) => each / length);
}

function byHash(text: string, dimension: number): Float32Array {
  let state = [...text].reduce((hash, sign) => (hash * 31 + (sign.codePointAt(0) ?? 0)) % 2_147_483_647, 7);
  const next = (): number => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647 - 0.5;
  return toUnit(Float32Array.from({ length: dimension }, next));
}

export const vectors: readonly Broken<EmbedderDriver>[] = [
  answersByLength,
  givesRawVectors,
  tellsAnotherDimension,
  minglesNeighbours,
  sharesItsCache,
  answersEachTextOnce,
  dropsWhatIsOver,
  cutsLongTexts,
  poolsWithoutLength,
  hashesTexts,
];
