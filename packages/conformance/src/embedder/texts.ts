import { holds, rejects, same } from '../check.js';
import type { EmbedderCase } from './instance.js';
import { BLANK_TEXTS, ODD_TEXTS, PRICES, VET } from './samples.js';
import { alike, similarity, sound, vectorOf, whole } from './vectors.js';

export const texts: readonly EmbedderCase[] = [
  {
    name: 'texts: one without a visible character is E_INVALID, wherever it stands (B32)',
    async run({ driver }) {
      for (const blank of BLANK_TEXTS)
        for (const call of [[blank], [VET, blank], [blank, VET]])
          await rejects('E_INVALID', driver.embed(call));
    },
  },
  {
    name: 'texts: a call that was refused leaves the next one whole',
    async run(instance) {
      const { driver } = instance;
      const good = await vectorOf(driver, VET);
      const [, [beside]] = await Promise.all([rejects('E_INVALID', driver.embed([''])), driver.embed([VET])]);
      alike(instance, beside, good, 'beside it');
    },
  },
  {
    name: 'texts: no sign makes it fail: marks, half characters, NUL, special tokens, runs without a space (A31)',
    async run(instance) {
      sound(instance, await instance.driver.embed(ODD_TEXTS), ODD_TEXTS.length);
      for (const odd of ODD_TEXTS.filter(({ length }) => length < 100))
        sound(instance, await instance.driver.embed([odd]), 1);
    },
  },
  {
    name: 'texts: of one over the limit the beginning and the end count (B32)',
    async run(instance) {
      const { driver } = instance;
      const half = driver.supports.maxTokens * 2;
      const words = (text: string): string => `${text} `.repeat(Math.ceil(half / text.split(' ').length));
      const [beginning, end, begun, both] = await driver.embed([
        VET,
        PRICES,
        words(VET),
        words(VET) + words(PRICES),
      ]);
      if (!both || !begun || !beginning || !end) throw new Error('a vector is missing');
      sound(instance, [both, begun], 2);
      holds(similarity(both, end) > similarity(begun, end) + 0.1, 'the end counts');
      holds(similarity(both, beginning) > similarity(end, beginning) + 0.1, 'the beginning counts');
    },
  },
  {
    name: 'texts: one far over every limit is one vector, and keeps no other from its own (B32)',
    async run(instance) {
      const huge = 'The paged memory of an agent. '.repeat(20_000);
      const vectors = await instance.driver.embed([VET, huge, PRICES]);
      whole(vectors, 3);
      alike(instance, vectors[2], await vectorOf(instance.driver, PRICES), 'its neighbour');
    },
  },
  {
    name: 'texts: are those of the moment of the call, and left alone',
    async run(instance) {
      const { driver } = instance;
      const [vet, prices] = await driver.embed([VET, PRICES]);
      const given = [VET, PRICES];
      const work = driver.embed(given);
      given[0] = '';
      given.pop();
      const vectors = await work;
      same([vectors.length, given], [2, ['']]);
      alike(instance, vectors[0], vet, 'the first');
      alike(instance, vectors[1], prices, 'the second');
    },
  },
];
