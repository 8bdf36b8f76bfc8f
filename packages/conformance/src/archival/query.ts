import { holds, same } from '../check.js';
import { ADA, type ArchivalCase, at, entry, ids, sameHits, vector } from './instance.js';

export const query: readonly ArchivalCase[] = [
  {
    name: 'scores: are (1 + cosine) / 2, whatever the lengths, best first (D14)',
    async run({ driver, dimension }) {
      const along = (...numbers: number[]): Float32Array => vector(dimension, ...numbers);
      await driver.upsert(ADA, [
        entry('opposite', along(-2)),
        entry('square', along(0, 7)),
        entry('same', along(0.5)),
        entry('four-fifths', along(4, 3)),
        entry('half', along(1, 1, 1, 1)),
      ]);
      const hits = await driver.query({ scope: ADA, vector: along(3), limit: 10 });
      const expected = [['same', 1], ['four-fifths', 0.9], ['half', 0.75], ['square', 0.5], ['opposite', 0]] as const; // prettier-ignore
      sameHits(hits, expected);
      for (const { id, score } of hits) holds(score >= 0 && score <= 1, `the score of ${id} is in [0, 1]`);
    },
  },
  {
    name: 'scores: nearly equal vectors stay within [0, 1]',
    async run({ driver, dimension }) {
      const odd = Float32Array.from({ length: dimension }, (_, i) => Math.sin(i + 1) / 3);
      await driver.upsert(ADA, [
        entry('same', odd),
        entry(
          'opposite',
          odd.map((x) => -x),
        ),
      ]);
      const hits = await driver.query({ scope: ADA, vector: odd, limit: 2 });
      sameHits(hits, [['same', 1], ['opposite', 0]]); // prettier-ignore
      for (const { score } of hits) holds(score >= 0 && score <= 1, `${score} is in [0, 1]`);
    },
  },
  {
    name: 'order: equal scores come by id, in code units, and a limit keeps that order (B25)',
    async run({ driver, dimension }) {
      const names = ['b', 'a', 'Z', 'a-b', 'ab', '10', '9', 'é'];
      await driver.upsert(ADA, names.map((id) => entry(id, at(dimension, 30)))); // prettier-ignore
      const sorted = [...names].sort();
      for (const limit of [1, 3, 8, 20]) {
        same(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit }), sorted.slice(0, limit));
      }
    },
  },
  {
    name: 'limit: all that is asked comes when it exists, also when it is much (B15)',
    async run({ driver, dimension }) {
      const entries = Array.from({ length: 1200 }, (_, i) =>
        entry(`e${String(i).padStart(4, '0')}`, at(dimension, i / 10)),
      );
      await driver.upsert(ADA, entries);
      for (const limit of [100, 1000]) {
        const found = await ids(driver, { scope: ADA, vector: at(dimension, 0), limit });
        same(found.length, limit);
        same(new Set(found).size, limit);
      }
      same(await driver.query({ scope: 'recall/empty/fp', vector: at(dimension, 0), limit: 5 }), []);
    },
  },
  {
    name: 'filter: since is included and until is not, and the limit is filled from what passes (B14, D10)',
    async run({ driver, dimension }) {
      const entries = Array.from({ length: 90 }, (_, i) => entry(`e${i + 10}`, at(dimension, i), i * 10));
      await driver.upsert(ADA, entries);
      const ask = { scope: ADA, vector: at(dimension, 0) };
      same(await ids(driver, { ...ask, limit: 2, since: 700 }), ['e80', 'e81']);
      same(await ids(driver, { ...ask, limit: 9, since: 100, until: 120 }), ['e20', 'e21']);
      same(await ids(driver, { ...ask, limit: 2, until: 10 }), ['e10']);
      same(await ids(driver, { ...ask, limit: 9, since: 120, until: 120 }), []);
    },
  },
  {
    name: 'filter: instants are exact to the millisecond (B27)',
    async run({ driver, dimension }) {
      const instant = Date.UTC(2026, 7, 29, 0, 30) + 1;
      await driver.upsert(ADA, [entry('a', at(dimension, 0), instant)]);
      const ask = { scope: ADA, vector: at(dimension, 0), limit: 1 };
      same(await ids(driver, { ...ask, since: instant, until: instant + 1 }), ['a']);
      same(await ids(driver, { ...ask, since: instant + 1 }), []);
      same(await ids(driver, { ...ask, until: instant }), []);
    },
  },
];
