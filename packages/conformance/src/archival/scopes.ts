import { rejects, same } from '../check.js';
import { ADA, type ArchivalCase, at, BOB, entry, ids } from './instance.js';

const HOSTILE_SCOPES = [
  "recall/'; drop table vectors; --",
  '%',
  '_',
  'recall/%/fp',
  '\\',
  '"',
  'a',
  'A',
  'a ',
  'é',
  'e\u0301',
];

export const scopes: readonly ArchivalCase[] = [
  {
    name: 'scope: a query, a count and a removal see one scope only, though ids are the same',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, [entry('x', at(dimension, 0)), entry('y', at(dimension, 10))]);
      await driver.upsert(BOB, [entry('x', at(dimension, 90))]);
      const ask = { vector: at(dimension, 90), limit: 9 };
      same(await ids(driver, { ...ask, scope: ADA }), ['y', 'x']);
      same(await ids(driver, { ...ask, scope: BOB }), ['x']);
      same([await driver.count(ADA), await driver.count(BOB)], [2, 1]);
      await driver.remove(ADA, ['x']);
      same([await driver.count(ADA), await driver.count(BOB)], [1, 1]);
    },
  },
  {
    name: 'scope: a small one beside a big nearer one still gives its full limit (B14)',
    async run({ driver, dimension }) {
      const near = Array.from({ length: 2000 }, (_, i) => entry(`near${i}`, at(dimension, i / 1000)));
      const far = Array.from({ length: 50 }, (_, i) => entry(`far${i + 10}`, at(dimension, 60 + i)));
      await driver.upsert(ADA, near);
      await driver.upsert(BOB, far);
      const found = await ids(driver, { scope: BOB, vector: at(dimension, 0), limit: 20 });
      same(
        found,
        far.slice(0, 20).map(({ id }) => id),
      );
    },
  },
  {
    name: 'scope: a scope is a bound value, and one that begins like another is another (D16)',
    async run({ driver, dimension }) {
      const all = [...HOSTILE_SCOPES, ADA, `${ADA}/more`, ADA.slice(0, -1)];
      for (const [i, scope] of all.entries()) await driver.upsert(scope, [entry(`e${i}`, at(dimension, i))]);
      for (const [i, scope] of all.entries()) {
        same(await ids(driver, { scope, vector: at(dimension, 0), limit: 99 }), [`e${i}`]);
      }
    },
  },
  {
    name: 'scope: an empty one is E_INVALID everywhere, never everything (B35)',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, [entry('x', at(dimension, 0))]);
      await rejects('E_INVALID', driver.upsert('', [entry('x', at(dimension, 0))]));
      await rejects('E_INVALID', driver.query({ scope: '', vector: at(dimension, 0), limit: 1 }));
      await rejects('E_INVALID', driver.remove('', 'all'));
      await rejects('E_INVALID', driver.count(''));
      await rejects('E_INVALID', driver.list('', { limit: 1 }));
      same(await driver.count(ADA), 1);
    },
  },
];
