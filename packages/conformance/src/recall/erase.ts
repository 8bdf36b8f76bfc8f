import type { RecallDriver } from '@pagefault/contracts';
import { LATEST } from '@pagefault/contracts';
import { rejects, same } from '../check.js';
import { document } from './document.js';
import {
  ADA,
  alone,
  BOB,
  entries,
  entry,
  everything,
  positions,
  readAll,
  type RecallCase,
} from './instance.js';

const KEY = { space: 'state', key: 'k' };
const HOUR = 3_600_000;

/** Messages that all say "alpaca", each with its document, one passage that says it too, and a row. */
async function fill(driver: RecallDriver, pid: string, count: number): Promise<void> {
  await driver.commit({
    pid,
    appends: entries(1, count),
    puts: [{ ...KEY, value: pid }],
    documents: [
      ...entries(1, count).map(({ seq }) => document(seq - 1, seq, [['alpaca', seq]], { ref: pid })),
      document(0, 2, [['alpaca', 9]], { collection: 'passages', ref: 'p' }),
      document(1, 3, [['alpaca', 8]], { collection: 'passages', ref: 'q' }),
    ],
  });
}

async function ordinals(driver: RecallDriver, pid: string): Promise<unknown> {
  const found = [];
  for (const collection of ['messages', 'passages'] as const) {
    const all = await driver.documents(alone(pid), collection, [0, 1, 2, 3, 4]);
    const postings = await driver.postings(alone(pid), collection, ['alpaca']);
    found.push([all.map(({ ordinal }) => ordinal), postings.map(({ ordinal }) => ordinal)]);
  }
  return found;
}

export const erase: readonly RecallCase[] = [
  {
    name: 'erase: forgets all of one process, counts its messages, and touches no other (B35, B36)',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      await fill(driver, BOB, 2);
      const bob = await everything(driver, BOB);
      same(await driver.erase({ pid: ADA, whole: true }), 3);
      same(await everything(driver, ADA), { log: [], rows: [], documents: [], postings: [] });
      same(await everything(driver, BOB), bob);
      same(
        (await driver.scan('state', { limit: 9 })).items.map(({ pid }) => pid),
        [BOB],
      );
      same(await driver.erase({ pid: ADA, whole: true }), 0);
    },
  },
  {
    name: 'erase: the process can begin again, with the same ids and positions',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      await driver.erase({ pid: ADA, whole: true });
      await fill(driver, ADA, 2);
      same(await readAll(driver, alone(ADA), { limit: 9 }), entries(1, 2));
      same(await driver.get(ADA, [KEY]), [{ ...KEY, value: ADA, version: 1 }]);
    },
  },
  {
    name: 'erase: single messages go with their documents and postings; rows, passages and others stay (B36)',
    async run({ driver }) {
      await fill(driver, ADA, 4);
      await fill(driver, BOB, 4);
      const bob = await everything(driver, BOB);
      same(await driver.erase({ pid: ADA, seqs: [2, 4, 2] }), 2);
      same(await readAll(driver, alone(ADA), { limit: 1 }), [entry(1), entry(3)]);
      same(await ordinals(driver, ADA), [
        [
          [0, 2],
          [0, 2],
        ],
        [
          [0, 1],
          [0, 1],
        ],
      ]);
      same(await driver.get(ADA, [KEY]), [{ ...KEY, value: ADA, version: 1 }]);
      same(await everything(driver, BOB), bob);
    },
  },
  {
    name: 'erase: passages go by their ordinals, messages at the same positions stay',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      same(await driver.erase({ pid: ADA, seqs: [], passages: [0] }), 0);
      same(await positions(driver, ADA), [1, 2, 3]);
      same(await ordinals(driver, ADA), [
        [
          [0, 1, 2],
          [0, 1, 2],
        ],
        [[1], [1]],
      ]);
    },
  },
  {
    name: 'erase: readers see a gap, in every kind of read',
    async run({ driver }) {
      await fill(driver, ADA, 5);
      await driver.erase({ pid: ADA, seqs: [1, 3] });
      const left = [entry(2), entry(4), entry(5)];
      const read = (query: object) => readAll(driver, alone(ADA), { ...query, limit: 2 });
      same(await read({ from: 1, to: 5 }), left);
      same(await read({ seqs: [5, 4, 3, 2, 1] }), left);
      same(await read({ ids: ['m1', 'm2', 'm3', 'm4', 'm5'] }), left);
      same(await read({ since: 0 }), left);
      same(await read({ order: 'descending' }), left.toReversed());
      same((await driver.stats(alone(ADA))).messages, 3);
    },
  },
  {
    name: 'erase: the log goes on after the last position, also when that was erased, or all of them',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      await driver.erase({ pid: ADA, seqs: [3] });
      same((await driver.stats(alone(ADA))).lastSeq, 3);
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, appends: [entry(3)] }));
      await driver.commit({ pid: ADA, appends: [entry(4)] });
      same(await driver.erase({ pid: ADA, seqs: [1, 2, 3, 4] }), 3);
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, appends: [entry(1)] }));
      await driver.commit({ pid: ADA, appends: [entry(5)] });
      same(await positions(driver, ADA), [5]);
      same((await driver.stats(alone(ADA))).lastSeq, 5);
    },
  },
  {
    name: 'erase: the id of an erased message is free, that of another is not',
    async run({ driver }) {
      await fill(driver, ADA, 2);
      await driver.erase({ pid: ADA, seqs: [1] });
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, appends: [entry(3, { id: 'm2' })] }));
      await driver.commit({ pid: ADA, appends: [entry(3, { id: 'm1' })] });
      same(await positions(driver, ADA), [2, 3]);
    },
  },
  {
    name: 'erase: a scope that names nothing, or nothing that is there, erases nothing (B35)',
    async run({ driver }) {
      await fill(driver, ADA, 2);
      const before = await everything(driver, ADA);
      const nothing = [{ seqs: [] }, { seqs: [7, 0], passages: [7] }, { seqs: [], passages: [] }];
      for (const scope of nothing) same(await driver.erase({ pid: ADA, ...scope }), 0);
      same(await driver.erase({ pid: BOB, seqs: [1] }), 0);
      same(await everything(driver, ADA), before);
      await driver.commit({ pid: ADA, appends: [entry(3)] });
      same(await driver.erase({ pid: ADA, seqs: [2] }), 1);
      same(await driver.erase({ pid: ADA, seqs: [2] }), 0);
    },
  },
  {
    name: 'erase: children see the gap, and what is theirs at the same positions stays',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      await driver.commit({ pid: BOB, appends: [entry(3, { id: 'own' })] });
      const bobs = [
        { pid: ADA, upTo: 2 },
        { pid: BOB, upTo: LATEST },
      ];
      await driver.erase({ pid: ADA, seqs: [2, 3] });
      same(await readAll(driver, bobs, { limit: 9 }), [entry(1), entry(3, { id: 'own' })]);
      same((await driver.stats(bobs)).lastSeq, 3);
    },
  },
  {
    name: 'erase: leaves lease and fence as they are, and a stale fence is E_LEASE_LOST and erases nothing',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      const lease = await driver.acquireLease(ADA, 'kernel-1', HOUR);
      const fence = lease?.fence ?? 0;
      same(await driver.erase({ pid: ADA, seqs: [1], fence }), 1);
      same((await driver.acquireLease(ADA, 'kernel-1', HOUR))?.fence, fence);
      const before = await everything(driver, ADA);
      await rejects('E_LEASE_LOST', driver.erase({ pid: ADA, seqs: [2], fence: fence + 1 }));
      await rejects('E_LEASE_LOST', driver.erase({ pid: ADA, whole: true, fence: fence + 1 }));
      await rejects('E_LEASE_LOST', driver.erase({ pid: BOB, seqs: [2], fence }));
      same(await everything(driver, ADA), before);
      same(await driver.erase({ pid: ADA, whole: true, fence }), 2);
    },
  },
  {
    name: 'erase: thousands of messages go at once (B29)',
    async run({ driver }) {
      const appends = entries(1, 7000);
      const documents = appends.map(({ seq }) => document(seq - 1, seq));
      for (let from = 0; from < 7000; from += 1000) {
        const [to, pid] = [from + 1000, ADA];
        await driver.commit({ pid, appends: appends.slice(from, to), documents: documents.slice(from, to) });
      }
      const seqs = appends.map(({ seq }) => seq).filter((seq) => seq % 7 !== 0);
      same(await driver.erase({ pid: ADA, seqs }), 6000);
      same((await positions(driver, ADA)).length, 1000);
      same((await driver.postings(alone(ADA), 'messages', ['alpaca'])).length, 1000);
    },
  },
];
