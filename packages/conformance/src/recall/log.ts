import { rejects, same } from '../check.js';
import {
  ADA,
  alone,
  entries,
  entry,
  everything,
  NOON,
  positions,
  readAll,
  type RecallCase,
} from './instance.js';

export const log: readonly RecallCase[] = [
  {
    name: 'order: the log is in order of position, whatever the clocks say (B25)',
    async run({ driver }) {
      const clocks = [NOON, NOON, NOON - 5000, NOON, NOON + 1, NOON - 5000];
      const appends = clocks.map((at, i) => entry(i + 1, { at }));
      await driver.commit({ pid: ADA, appends: appends.slice(0, 4) });
      await driver.commit({ pid: ADA, appends: appends.slice(4) });
      same(await readAll(driver, alone(ADA), { limit: 4 }), appends);
    },
  },
  {
    name: 'order: descending is ascending turned round, also page by page',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 7) });
      const back = await readAll(driver, alone(ADA), { limit: 3, order: 'descending' });
      same(back, entries(1, 7).reverse());
    },
  },
  {
    name: 'appends: a position that leaves a gap or is taken is E_CONFLICT and writes nothing',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 3) });
      const before = await everything(driver, ADA);
      const put = { space: 'state', key: 'k', value: 1 };
      for (const seqs of [[5], [3], [1], [4, 6], [4, 4], [5, 4]]) {
        const appends = seqs.map((seq, i) => entry(seq, { id: `new${i}` }));
        await rejects('E_CONFLICT', driver.commit({ pid: ADA, appends, puts: [put] }));
      }
      same(await everything(driver, ADA), before);
    },
  },
  {
    name: 'appends: a message id that is taken is E_CONFLICT and writes nothing (C10, C11)',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 2) });
      const before = await everything(driver, ADA);
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, appends: [entry(3, { id: 'm1' })] }));
      const twice = [entry(3, { id: 'x' }), entry(4, { id: 'x' })];
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, appends: twice }));
      same(await everything(driver, ADA), before);
    },
  },
  {
    name: 'appends: the first position of an empty log is free, for a fork goes on where its parent was cut',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(41, 42) });
      await driver.commit({ pid: ADA, appends: [entry(43)] });
      same(await positions(driver, ADA), [41, 42, 43]);
    },
  },
  {
    name: 'read: by range, with both ends included',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 9) });
      same(await readAll(driver, alone(ADA), { from: 3, to: 5, limit: 2 }), entries(3, 5));
      same(await readAll(driver, alone(ADA), { from: 8, limit: 9 }), entries(8, 9));
      same(await readAll(driver, alone(ADA), { to: 1, limit: 9 }), entries(1, 1));
      same(await readAll(driver, alone(ADA), { from: 5, to: 4, limit: 9 }), []);
    },
  },
  {
    name: 'read: by positions and by ids, in order of position, unknown ones left out',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 9) });
      const chosen = [entry(2), entry(7), entry(9)];
      same(await readAll(driver, alone(ADA), { seqs: [9, 2, 99, 7, 2], limit: 2 }), chosen);
      same(await readAll(driver, alone(ADA), { ids: ['m9', 'nobody', 'm2', 'm7'], limit: 2 }), chosen);
      const back = await readAll(driver, alone(ADA), { seqs: [2, 9, 7], order: 'descending', limit: 2 });
      same(back, chosen.reverse());
      same(await readAll(driver, alone(ADA), { seqs: [], limit: 9 }), []);
      same(await readAll(driver, alone(ADA), { ids: [], limit: 9 }), []);
    },
  },
  {
    name: 'read: by time, from since up to but without until',
    async run({ driver }) {
      const clocks = [30, 10, 20, 10, 40];
      const appends = clocks.map((at, i) => entry(i + 1, { at }));
      await driver.commit({ pid: ADA, appends });
      const seqs = async (query: { since?: number; until?: number }): Promise<number[]> =>
        (await readAll(driver, alone(ADA), { ...query, limit: 1 })).map(({ seq }) => seq);
      same(await seqs({ since: 10, until: 30 }), [2, 3, 4]);
      same(await seqs({ since: 30 }), [1, 5]);
      same(await seqs({ until: 20 }), [2, 4]);
    },
  },
  {
    name: 'cursor: appends between two pages are neither missed nor repeated',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 5) });
      const first = await driver.read(alone(ADA), { limit: 3 });
      await driver.commit({ pid: ADA, appends: entries(6, 7) });
      const rest = await driver.read(alone(ADA), { limit: 9, ...cursorOf(first) });
      same([...first.items, ...rest.items], entries(1, 7));
      const newest = await driver.read(alone(ADA), { limit: 3, order: 'descending' });
      await driver.commit({ pid: ADA, appends: [entry(8)] });
      const older = await driver.read(alone(ADA), { limit: 9, order: 'descending', ...cursorOf(newest) });
      same([...newest.items, ...older.items], entries(1, 7).reverse());
    },
  },
  {
    name: 'limit: a page is exactly as long as asked while more follows',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 5) });
      for (const limit of [1, 3, 4]) {
        same((await driver.read(alone(ADA), { limit })).items, entries(1, limit));
        same((await driver.read(alone(ADA), { limit, since: 0, order: 'descending' })).items.length, limit);
      }
    },
  },
  {
    name: 'cursor: the last page has none, also when it is just full',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: entries(1, 4) });
      same('cursor' in (await driver.read(alone(ADA), { limit: 4 })), false);
      same('cursor' in (await driver.read(alone(ADA), { limit: 9 })), false);
      same('cursor' in (await driver.read(alone(ADA), { from: 9, limit: 9 })), false);
    },
  },
  {
    name: 'batch: thousands of messages go into one commit and come back by id and by position (B29)',
    async run({ driver }) {
      const appends = entries(1, 7000);
      await driver.commit({ pid: ADA, appends });
      const seqs = appends.map(({ seq }) => seq);
      const ids = appends.map(({ message }) => message.id);
      same((await driver.read(alone(ADA), { seqs, limit: 10_000 })).items, appends);
      same((await driver.read(alone(ADA), { ids, limit: 10_000 })).items.length, 7000);
    },
  },
];

function cursorOf(slice: { readonly cursor?: string }): { cursor: string } {
  return { cursor: slice.cursor ?? 'there should be more' };
}
