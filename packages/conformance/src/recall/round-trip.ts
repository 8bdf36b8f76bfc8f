import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@pagefault/contracts';
import { holds, same } from '../check.js';
import { ADA, alone, entry, readAll, type RecallCase, text } from './instance.js';
import { partEntries, TEXTS } from './samples.js';

const VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1.5,
  Number.MAX_SAFE_INTEGER,
  1e300,
  5e-324,
  '',
  'text',
  [],
  [[], [null, [1]]],
  {},
  { b: 1, a: { '': [], 'key with "quotes"': null } },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as Json,
];

export const roundTrip: readonly RecallCase[] = [
  {
    name: 'round trip: every kind of message part comes back exactly (A28, B38)',
    async run({ driver }) {
      const appends = partEntries();
      await driver.commit({ pid: ADA, appends });
      same(await readAll(driver, alone(ADA), { limit: 100 }), appends);
    },
  },
  {
    name: 'round trip: any well-formed text comes back exactly (B01)',
    async run({ driver }) {
      const appends = Object.values(TEXTS).map((value, i) =>
        entry(i + 1, { parts: [text(value)], name: value }),
      );
      await driver.commit({ pid: ADA, appends });
      same(await readAll(driver, alone(ADA), { limit: 100 }), appends);
    },
  },
  {
    name: 'round trip: a message of five megabytes comes back exactly',
    async run({ driver }) {
      const appends = [entry(1, { parts: [text('0123456789abcdé😀'.repeat(5 * 2 ** 16))] })];
      await driver.commit({ pid: ADA, appends });
      const [back] = await readAll(driver, alone(ADA), { limit: 1 });
      // Not `same`: the report of a difference in so long a text would take minutes.
      holds(isDeepStrictEqual(back, appends[0]), 'the long message is not the same');
    },
  },
  {
    name: 'round trip: row values of every JSON shape come back exactly (B28)',
    async run({ driver }) {
      const texts = Object.values(TEXTS);
      const values = [...VALUES, ...texts, Object.fromEntries(texts.map((value) => [value, value]))];
      const puts = values.map((value, i) => ({ space: 'state', key: `k${i}`, value }));
      await driver.commit({ pid: ADA, puts });
      same(
        await driver.get(ADA, puts),
        puts.map((put) => ({ ...put, version: 1 })),
      );
    },
  },
  {
    name: 'round trip: instants come back to the millisecond, early and late ones too (B27)',
    async run({ driver }) {
      const instants = [0, 1, Date.UTC(2026, 7, 29, 0, 30), 2 ** 31, 2 ** 42 + 1, 8.64e15];
      const appends = instants.map((at, i) => entry(i + 1, { at }));
      const puts = instants.map((dueAt, i) => ({ space: 'timers', key: `k${i}`, value: i, dueAt }));
      await driver.commit({ pid: ADA, appends, puts });
      same(await readAll(driver, alone(ADA), { limit: 100 }), appends);
      same(
        await driver.load(ADA, ['timers']),
        puts.map((put) => ({ ...put, version: 1 })),
      );
    },
  },
  {
    name: 'round trip: what the caller changes afterwards does not reach the store',
    async run({ driver }) {
      const value = { list: [1] };
      const parts = [text('before')];
      await driver.commit({
        pid: ADA,
        appends: [entry(1, { parts })],
        puts: [{ space: 'state', key: 'k', value }],
      });
      value.list.push(2);
      parts.push(text('after'));
      same((await driver.get(ADA, [{ space: 'state', key: 'k' }]))[0]?.value, { list: [1] });
      same(await readAll(driver, alone(ADA), { limit: 1 }), [entry(1, { parts: [text('before')] })]);
    },
  },
];
