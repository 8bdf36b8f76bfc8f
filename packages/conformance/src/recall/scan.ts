import type { OwnedRow, RecallDriver, ScanQuery, Slice } from '@pagefault/contracts';
import { same } from '../check.js';
import { ADA, BOB, CYD, type RecallCase } from './instance.js';
import { allPages } from './pages.js';

export const scan: readonly RecallCase[] = [
  {
    name: 'scan: gives one space of all processes by pid and key, with the owner, page by page',
    async run({ driver }) {
      for (const pid of [CYD, ADA, BOB]) {
        const puts = ['b', 'a'].map((key) => ({ space: 'inbox', key, value: key }));
        await driver.commit({ pid, puts: [...puts, { space: 'state', key: 'a', value: 0 }] });
      }
      const expected = [ADA, BOB, CYD].flatMap((pid) =>
        ['a', 'b'].map((key) => ({ pid, space: 'inbox', key, value: key, version: 1 })),
      );
      for (const limit of [1, 4, 6, 100]) {
        same((await driver.scan('inbox', { limit })).items, expected.slice(0, limit));
        same(await scanAll(driver, 'inbox', { limit }), expected);
      }
    },
  },
  {
    name: 'scan: with dueBefore gives only due rows, the earliest first, ties by pid and key',
    async run({ driver }) {
      await driver.commit({ pid: BOB, puts: [timer('x', 20), timer('y', 10), timer('later', 31)] });
      await driver.commit({ pid: ADA, puts: [timer('z', 20), timer('w', 30), timer('never')] });
      const names = async (limit: number, dueBefore: number): Promise<string[]> =>
        (await scanAll(driver, 'timers', { limit, dueBefore })).map(({ key }) => key);
      for (const limit of [1, 2, 100]) same(await names(limit, 30), ['y', 'z', 'x', 'w']);
      same(await names(9, 9), []);
    },
  },
  {
    name: 'scan: rows that come, go and change between two pages make no gaps and no repeats (B25)',
    async run({ driver }) {
      const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
      await driver.commit({ pid: ADA, puts: keys.map((key) => timer(key, 10)) });
      const page = (after?: string): Promise<Slice<OwnedRow>> =>
        driver.scan('timers', { limit: 2, dueBefore: 10, ...(after === undefined ? {} : { after }) });
      const first = await page();
      await driver.commit({ pid: ADA, deletes: [timer('a')], puts: [timer('b', 10), timer('d', 10)] });
      const second = await page(first.cursor ?? 'there should be more');
      await driver.commit({ pid: ADA, puts: [timer('aa', 10), timer('bb', 10), timer('cc', 10)] });
      const third = await page(second.cursor ?? 'there should be more');
      const seen = [first, second, third].flatMap(({ items }) => items);
      same(
        seen.map(({ key }) => key),
        keys,
      );
      same(
        seen.map(({ version }) => version),
        [1, 1, 1, 2, 1, 1],
      );
      same(third.cursor, undefined);
    },
  },
  {
    name: 'scan: the last page has no cursor, also when it is just full',
    async run({ driver }) {
      await driver.commit({ pid: ADA, puts: [timer('a', 1), timer('b', 1)] });
      same('cursor' in (await driver.scan('timers', { limit: 2 })), false);
      same(await driver.scan('empty', { limit: 2 }), { items: [] });
    },
  },
];

function timer(key: string, dueAt?: number): { space: string; key: string; value: number; dueAt?: number } {
  return { space: 'timers', key, value: 1, ...(dueAt === undefined ? {} : { dueAt }) };
}

/** The whole of a scan, page by page. */
export async function scanAll(driver: RecallDriver, space: string, query: ScanQuery): Promise<OwnedRow[]> {
  return allPages((after) => driver.scan(space, { ...query, ...(after === undefined ? {} : { after }) }));
}
