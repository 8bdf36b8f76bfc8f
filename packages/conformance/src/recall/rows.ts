import { rejects, same } from '../check.js';
import { ADA, type RecallCase } from './instance.js';
import { HOSTILE_KEYS } from './samples.js';

const K = { space: 'state', key: 'k' };

export const rows: readonly RecallCase[] = [
  {
    name: 'versions: a new row has version 1 and each put adds one',
    async run({ driver }) {
      for (const version of [1, 2, 3]) {
        await driver.commit({ pid: ADA, puts: [{ ...K, value: version * 10 }] });
        same(await driver.get(ADA, [K]), [{ ...K, value: version * 10, version }]);
      }
    },
  },
  {
    name: 'versions: a deleted row is gone, and new when it is put again (B36)',
    async run({ driver }) {
      await driver.commit({ pid: ADA, puts: [{ ...K, value: 1 }] });
      await driver.commit({ pid: ADA, puts: [{ ...K, value: 2 }] });
      await driver.commit({ pid: ADA, deletes: [K] });
      same([await driver.get(ADA, [K]), await driver.load(ADA, ['state'])], [[], []]);
      await driver.commit({ pid: ADA, puts: [{ ...K, value: 3 }] });
      same(await driver.get(ADA, [K]), [{ ...K, value: 3, version: 1 }]);
    },
  },
  {
    name: 'expect: holds for the very version, and 0 means absent',
    async run({ driver }) {
      await driver.commit({ pid: ADA, expect: [{ ...K, version: 0 }], puts: [{ ...K, value: 1 }] });
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, expect: [{ ...K, version: 0 }] }));
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, expect: [{ ...K, version: 2 }] }));
      await driver.commit({ pid: ADA, expect: [{ ...K, version: 1 }], deletes: [K] });
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, expect: [{ ...K, version: 1 }] }));
    },
  },
  {
    name: 'rows: deleting what is not there is no error',
    async run({ driver }) {
      await driver.commit({ pid: ADA, deletes: [K], puts: [{ ...K, key: 'other', value: 1 }] });
      same((await driver.load(ADA, ['state'])).length, 1);
    },
  },
  {
    name: 'rows: a put without dueAt takes an earlier one away',
    async run({ driver }) {
      await driver.commit({ pid: ADA, puts: [{ ...K, value: 1, dueAt: 5 }] });
      await driver.commit({ pid: ADA, puts: [{ ...K, value: 1 }] });
      same(await driver.get(ADA, [K]), [{ ...K, value: 1, version: 2 }]);
      same(await driver.scan('state', { dueBefore: 9, limit: 9 }), { items: [] });
    },
  },
  {
    name: 'rows: load gives the spaces in the order asked, and keys by code units',
    async run({ driver }) {
      const keys = ['b', 'B', 'a', 'Z', '10', '9', '-', 'é', '😀', '\uFF5E', 'ab', 'a-b', ''];
      const put = (space: string): { space: string; key: string; value: number }[] =>
        keys.map((key) => ({ space, key, value: 1 }));
      await driver.commit({ pid: ADA, puts: [...put('blocks'), ...put('state'), ...put('unasked')] });
      const loaded = await driver.load(ADA, ['state', 'absent', 'blocks']);
      const sorted = [...keys].sort();
      same(
        loaded.map(({ space, key }) => [space, key]),
        ['state', 'blocks'].flatMap((space) => sorted.map((key) => [space, key])),
      );
    },
  },
  {
    name: 'rows: get gives the order asked, and leaves out what is not there',
    async run({ driver }) {
      const puts = ['a', 'b', 'c'].map((key) => ({ space: 'state', key, value: key }));
      await driver.commit({ pid: ADA, puts: [...puts, { space: 'inbox', key: 'a', value: 'mail' }] });
      const keys = ['state/c', 'inbox/a', 'state/x', 'inbox/c', 'state/a'];
      const asked = keys.map((name) => ({ space: name.split('/')[0] ?? '', key: name.split('/')[1] ?? '' }));
      same(
        (await driver.get(ADA, asked)).map(({ value }) => value),
        ['c', 'mail', 'a'],
      );
      same(await driver.get(ADA, []), []);
    },
  },
  {
    name: 'hostile: keys are bound values, and each is a row of its own (D08, D16)',
    async run({ driver }) {
      const long = 'k'.repeat(511);
      const keys = [...HOSTILE_KEYS, `${long}1`, `${long}2`, '😀'.repeat(128)];
      await driver.commit({ pid: ADA, puts: keys.map((key) => ({ space: 'state', key, value: key })) });
      for (const key of keys) {
        const row = { space: 'state', key };
        same(await driver.get(ADA, [row]), [{ ...row, value: key, version: 1 }]);
      }
      const [first, ...others] = keys.map((key) => ({ space: 'state', key }));
      if (first) await driver.commit({ pid: ADA, deletes: others, expect: [{ ...first, version: 1 }] });
      same(
        (await driver.load(ADA, ['state'])).map(({ key }) => key),
        keys.slice(0, 1),
      );
    },
  },
  {
    name: 'batch: thousands of rows go into one commit and out of another (B29)',
    async run({ driver }) {
      const puts = Array.from({ length: 7000 }, (_, i) => ({ space: 'state', key: `k${i}`, value: i }));
      await driver.commit({ pid: ADA, puts });
      same(
        (await driver.get(ADA, puts)).map(({ value }) => value),
        puts.map(({ value }) => value),
      );
      await driver.commit({ pid: ADA, deletes: puts, expect: puts.map((put) => ({ ...put, version: 1 })) });
      same(await driver.load(ADA, ['state']), []);
    },
  },
];
