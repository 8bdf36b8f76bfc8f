import { checkHead, holds, same } from '../check.js';
import type { EmbedderCase } from './instance.js';
import { manyTexts, PRICES, VET, VET_AGAIN } from './samples.js';
import { alike, similarity, sound, vectorOf, whole } from './vectors.js';

/** More than most services take at once. */
const MANY = 300;

export const shape: readonly EmbedderCase[] = [
  {
    name: 'manifest: the head is complete and frozen, and the sizes are told',
    async run({ driver }) {
      checkHead(driver, 'embedder', ['embed']);
      const { dimension, maxTokens, fingerprint } = driver.supports;
      holds(Number.isSafeInteger(dimension) && dimension > 0, `${dimension} numbers a vector`);
      holds(Number.isSafeInteger(maxTokens) && maxTokens > 0, `${maxTokens} tokens a vector`);
      holds(typeof fingerprint === 'string' && fingerprint !== '', 'the weights are named');
    },
  },
  {
    name: 'vectors: one a text, of the dimension that is told, finite and of length 1 (B16 B23)',
    async run(instance) {
      sound(instance, await instance.driver.embed([VET, PRICES, 'x']), 3);
    },
  },
  {
    name: 'vectors: nothing for nothing',
    async run({ driver }) {
      same(await driver.embed([]), []);
    },
  },
  {
    name: 'vectors: come in the order of the texts, whatever their lengths',
    async run(instance) {
      const texts = manyTexts(24);
      const together = await instance.driver.embed(texts);
      whole(together, texts.length);
      for (const place of [0, 1, 9, 22, 23])
        alike(
          instance,
          together[place],
          await vectorOf(instance.driver, texts[place] ?? ''),
          `text ${place}`,
        );
    },
  },
  {
    name: 'vectors: of a text are the same alone, among others and twice in one call',
    async run(instance) {
      const { driver } = instance;
      const alone = await vectorOf(driver, VET);
      const [first, , second] = await driver.embed([VET, PRICES.repeat(9), VET]);
      alike(instance, first, alone, 'among others');
      alike(instance, second, alone, 'the second time');
      alike(instance, await vectorOf(driver, VET), alone, 'in another call');
    },
  },
  {
    name: 'vectors: what is done to one afterwards touches no other',
    async run(instance) {
      const { driver } = instance;
      const [first, second] = await driver.embed([VET, VET]);
      const kept = Float32Array.from(second ?? []);
      first?.fill(0);
      alike(instance, second, kept, 'its neighbour');
      alike(instance, await vectorOf(driver, VET), kept, 'the next call');
    },
  },
  {
    name: 'vectors: all of a call come, however many texts it has',
    async run(instance) {
      const texts = Array.from({ length: MANY }, (_, n) => `alpaca ${n}`);
      const vectors = await instance.driver.embed(texts);
      whole(vectors, MANY);
      const last = await vectorOf(instance.driver, texts.at(-1) ?? '');
      alike(instance, vectors.at(-1), last, 'the last text');
    },
  },
  {
    name: 'purpose: a document is what is meant when nothing is said, and a question has its vector, too',
    async run(instance) {
      const { driver } = instance;
      const [said] = await driver.embed([VET], undefined, 'document');
      alike(instance, await vectorOf(driver, VET), said, 'when nothing is said');
      whole(await driver.embed([VET, PRICES], undefined, 'query'), 2);
    },
  },
  {
    name: 'nearness: texts that share their words are nearer than others',
    async run({ driver }) {
      const [vet, again, prices] = [
        await vectorOf(driver, VET),
        await vectorOf(driver, VET_AGAIN),
        await vectorOf(driver, PRICES),
      ];
      const [near, far] = [similarity(vet, again), similarity(vet, prices)];
      holds(near > far + 0.1, `${near} for the same words, ${far} for others`);
    },
  },
];
