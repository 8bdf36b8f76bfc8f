import { LATEST, type Lineage, type RecallDriver } from '@pagefault/contracts';
import { holds, same } from '../check.js';
import { document } from './document.js';
import { ADA, alone, BOB, CYD, entry, readAll, type RecallCase } from './instance.js';

// Ada has 1 to 6. Bob forked from her at 4 and has 5 to 8. Cyd forked from Bob at 6 and has 7 to 9.
const FORKS = [
  { pid: ADA, from: 1, to: 6 },
  { pid: BOB, from: 5, to: 8 },
  { pid: CYD, from: 7, to: 9 },
];
const CYDS: Lineage = [
  { pid: ADA, upTo: 4 },
  { pid: BOB, upTo: 6 },
  { pid: CYD, upTo: LATEST },
];
/** Whose message stands at each position of Cyd's lineage. */
const OWNERS = [ADA, ADA, ADA, ADA, BOB, BOB, CYD, CYD, CYD];

async function fork(driver: RecallDriver): Promise<void> {
  for (const { pid, from, to } of FORKS) {
    const seqs = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    await driver.commit({
      pid,
      appends: seqs.map((seq) => entry(seq, { id: `${pid}/${seq}` })),
      documents: seqs.map((seq) => document(seq - 1, seq, [['alpaca', seq]], { ref: `${pid}/${seq}` })),
    });
  }
}

const ALL = OWNERS.map((pid, i) => `${pid}/${i + 1}`);

export const lineage: readonly RecallCase[] = [
  {
    name: 'lineage: a read goes through the ancestors, each up to its cut, in both directions and by pages',
    async run({ driver }) {
      await fork(driver);
      for (const limit of [1, 2, 4, 9, 10]) {
        same(await ids(driver, { limit }), ALL);
        same(await ids(driver, { limit, order: 'descending' }), [...ALL].reverse());
      }
      same(await ids(driver, { from: 4, to: 7, limit: 3 }), ALL.slice(3, 7));
      same(await ids(driver, { seqs: [9, 5, 4], limit: 9 }), [ALL[3], ALL[4], ALL[8]]);
    },
  },
  {
    name: "lineage: what an ancestor wrote after the cut is not the child's, by id or by time",
    async run({ driver }) {
      await fork(driver);
      same(await ids(driver, { ids: [`${ADA}/5`, `${BOB}/7`, `${BOB}/6`, `${ADA}/1`], limit: 9 }), [
        ALL[0],
        ALL[5],
      ]);
      same(await ids(driver, { since: 0, limit: 9 }), ALL);
    },
  },
  {
    name: "lineage: an ancestor does not see its children's messages",
    async run({ driver }) {
      await fork(driver);
      const ada = await readAll(driver, alone(ADA), { limit: 9 });
      same(
        ada.map(({ message }) => message.id),
        [1, 2, 3, 4, 5, 6].map((seq) => `${ADA}/${seq}`),
      );
    },
  },
  {
    name: 'lineage: postings and documents are cut where the log is',
    async run({ driver }) {
      await fork(driver);
      const ordinals = [8, 7, 6, 5, 4, 3, 2, 1, 0];
      const documents = await driver.documents(CYDS, 'messages', ordinals);
      same(
        documents.map(({ ref }) => ref),
        ALL,
      );
      same(
        await driver.postings(CYDS, 'messages', ['alpaca']),
        OWNERS.map((_, ordinal) => ({ term: 'alpaca', ordinal, count: ordinal + 1 })),
      );
    },
  },
  {
    name: "lineage: a passage that an ancestor took in after the cut, at the same position of the log, is not the child's",
    async run({ driver }) {
      const passage = (pid: string, ordinal: number) =>
        document(ordinal, 2, [['alpaca', ordinal + 1]], { collection: 'passages', ref: `${pid}/${ordinal}` });
      await driver.commit({ pid: ADA, appends: [entry(1), entry(2)], documents: [passage(ADA, 0)] });
      await driver.commit({ pid: ADA, documents: [passage(ADA, 1)] });
      await driver.commit({ pid: BOB, documents: [passage(BOB, 1), passage(BOB, 2)] });
      const bobs: Lineage = [
        { pid: ADA, upTo: 2, documents: { messages: 2, passages: 1 } },
        { pid: BOB, upTo: LATEST },
      ];
      const documents = await driver.documents(bobs, 'passages', [0, 1, 2]);
      same(
        documents.map(({ ref }) => ref),
        [`${ADA}/0`, `${BOB}/1`, `${BOB}/2`],
      );
      same(
        await driver.postings(bobs, 'passages', ['alpaca']),
        [0, 1, 2].map((ordinal) => ({ term: 'alpaca', ordinal, count: ordinal + 1 })),
      );
    },
  },
  {
    name: 'lineage: the process itself may be cut too, and its future stays out',
    async run({ driver }) {
      await fork(driver);
      const early: Lineage = [{ pid: ADA, upTo: 2 }];
      same((await readAll(driver, early, { limit: 9 })).length, 2);
      same((await driver.postings(early, 'messages', ['alpaca'])).length, 2);
      same((await driver.documents(early, 'messages', [0, 1, 2, 3])).length, 2);
      same((await driver.stats(early)).messages, 2);
    },
  },
  {
    name: 'stats: count the messages of a lineage, its last position and its bytes',
    async run({ driver }) {
      await fork(driver);
      const { messages, lastSeq, bytes } = await driver.stats(CYDS);
      same([messages, lastSeq], [9, 9]);
      const shorter = await driver.stats(CYDS.slice(0, 2));
      same([shorter.messages, shorter.lastSeq], [6, 6]);
      holds(bytes > shorter.bytes && shorter.bytes > 0, 'bytes grow with the messages');
    },
  },
];

async function ids(driver: RecallDriver, query: Parameters<RecallDriver['read']>[1]): Promise<string[]> {
  return (await readAll(driver, CYDS, query)).map(({ message }) => message.id);
}
