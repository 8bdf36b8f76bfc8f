import { rejects, same } from '../check.js';
import { ADA, type ArchivalCase, at, BOB, entry, ids, sameHits, vector } from './instance.js';

const HOSTILE_IDS = [
  "'; drop table vectors; --",
  '%',
  '_',
  '\\',
  '"',
  './data/andrei.txt_1',
  '215250709085334181',
  'a',
  'A',
  'a ',
  '😀',
];

export const writes: readonly ArchivalCase[] = [
  {
    name: 'upsert: replaces by id, vector and time alike, and is found at once (B20)',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, [entry('x', at(dimension, 90), 10)]);
      await driver.upsert(ADA, [entry('x', at(dimension, 0), 20)]);
      const ask = { scope: ADA, vector: at(dimension, 0), limit: 9 };
      sameHits(await driver.query(ask), [['x', 1]]);
      same([await ids(driver, { ...ask, until: 20 }), await driver.count(ADA)], [[], 1]);
    },
  },
  {
    name: 'upsert: of two entries with one id in a batch the last one wins (B30)',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, [
        entry('x', at(dimension, 90)),
        entry('y', at(dimension, 90)),
        entry('x', at(dimension, 0)),
      ]);
      sameHits(await driver.query({ scope: ADA, vector: at(dimension, 0), limit: 9 }), [['x', 1], ['y', 0.5]]); // prettier-ignore
    },
  },
  {
    name: 'upsert: an empty batch is no error',
    async run({ driver }) {
      await driver.upsert(ADA, []);
      same(await driver.count(ADA), 0);
    },
  },
  {
    name: 'upsert: the caller may use its array again',
    async run({ driver, dimension }) {
      const reused = at(dimension, 0);
      await driver.upsert(ADA, [entry('x', reused)]);
      reused.set([0, 1]);
      sameHits(await driver.query({ scope: ADA, vector: at(dimension, 0), limit: 1 }), [['x', 1]]);
    },
  },
  {
    name: 'guard: a vector of another dimension is E_DIMENSION, and nothing of its batch is written (B23)',
    async run({ driver, dimension }) {
      for (const wrong of [dimension - 1, dimension + 1]) {
        const batch = [entry('good', at(dimension, 0)), entry('bad', vector(wrong, 1))];
        await rejects('E_DIMENSION', driver.upsert(ADA, batch));
        await rejects('E_DIMENSION', driver.query({ scope: ADA, vector: vector(wrong, 1), limit: 1 }));
      }
      same(await driver.count(ADA), 0);
    },
  },
  {
    name: 'guard: zeros, NaN and infinity are E_INVALID, and nothing of their batch is written (B16)',
    async run({ driver, dimension }) {
      for (const bad of [0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const batch = [entry('good', at(dimension, 0)), entry('bad', vector(dimension, bad))];
        await rejects('E_INVALID', driver.upsert(ADA, batch));
        await rejects('E_INVALID', driver.query({ scope: ADA, vector: vector(dimension, bad), limit: 1 }));
      }
      same(await driver.count(ADA), 0);
    },
  },
  {
    name: 'remove: what was removed is not found any more, unknown ids are passed over (B36)',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, ['a', 'b', 'c'].map((id) => entry(id, at(dimension, 0)))); // prettier-ignore
      await driver.remove(ADA, ['b', 'nobody']);
      same(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit: 9 }), ['a', 'c']);
      await driver.remove(ADA, []);
      same(await driver.count(ADA), 2);
    },
  },
  {
    name: 'remove: all of one scope goes, the others stay (B35)',
    async run({ driver, dimension }) {
      for (const scope of [ADA, BOB]) await driver.upsert(scope, [entry('x', at(dimension, 0))]);
      await driver.remove(ADA, 'all');
      same([await driver.count(ADA), await driver.count(BOB)], [0, 1]);
      same(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit: 9 }), []);
      await driver.remove(ADA, 'all');
    },
  },
  {
    name: 'hostile: ids are bound values of their own and come back exactly (B17, B18)',
    async run({ driver, dimension }) {
      const all = [...HOSTILE_IDS, 'all', 'i'.repeat(128)];
      await driver.upsert(ADA, all.map((id) => entry(id, at(dimension, 0)))); // prettier-ignore
      same(new Set(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit: 99 })), new Set(all));
      for (const id of all) await driver.remove(ADA, [id]);
      same(await driver.count(ADA), 0);
    },
  },
  {
    name: 'batch: thousands of entries go in at once and out at once (B19, B29)',
    async run({ driver, dimension }) {
      const batch = Array.from({ length: 7000 }, (_, i) => entry(`e${i}`, at(dimension, i / 50)));
      await driver.upsert(ADA, batch);
      same(await driver.count(ADA), 7000);
      await driver.remove(ADA, batch.slice(1).map(({ id }) => id)); // prettier-ignore
      same(await ids(driver, { scope: ADA, vector: at(dimension, 90), limit: 9 }), ['e0']);
    },
  },
  {
    name: 'race: writers of one scope at once lose nothing',
    async run({ driver, dimension }) {
      const writers = [1, 2, 3, 4, 5, 6];
      await Promise.all(writers.map((n) => driver.upsert(ADA, [entry(`own${n}`, at(dimension, n)), entry('shared', at(dimension, n))]))); // prettier-ignore
      same(await driver.count(ADA), writers.length + 1);
    },
  },
];
