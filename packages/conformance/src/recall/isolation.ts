import { same } from '../check.js';
import { document } from './document.js';
import { ADA, alone, BOB, CYD, entries, everything, readAll, type RecallCase } from './instance.js';
import type { RecallDriver } from '@pagefault/contracts';

const KEY = { space: 'state', key: 'k' };

async function fill(driver: RecallDriver, pid: string, count: number): Promise<void> {
  await driver.commit({
    pid,
    appends: entries(1, count),
    puts: [{ ...KEY, value: pid }],
    documents: [document(0, 1, [['alpaca', count]], { ref: pid })],
  });
}

export const isolation: readonly RecallCase[] = [
  {
    name: 'isolation: a process sees its own log, rows and documents only, though ids and keys are the same',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      await fill(driver, BOB, 2);
      for (const [pid, count] of [
        [ADA, 3],
        [BOB, 2],
      ] as const) {
        // prettier-ignore
        same(await everything(driver, pid), {
          log: entries(1, count),
          rows: [{ ...KEY, value: pid, version: 1 }],
          documents: [document(0, 1, [['alpaca', count]], { ref: pid }).indexed],
          postings: [{ term: 'alpaca', ordinal: 0, count }],
        });
        same(await driver.get(pid, [KEY]), [{ ...KEY, value: pid, version: 1 }]);
      }
    },
  },
  {
    name: 'isolation: a process that never wrote has nothing, whatever is asked',
    async run({ driver }) {
      await fill(driver, ADA, 3);
      same(await everything(driver, CYD), { log: [], rows: [], documents: [], postings: [] });
      same(await driver.get(CYD, [KEY]), []);
      for (const query of [
        { seqs: [1, 2] },
        { ids: ['m1'] },
        { since: 0 },
        { order: 'descending' as const },
      ]) {
        same(await readAll(driver, alone(CYD), { ...query, limit: 9 }), []);
      }
      same(await driver.stats(alone(CYD)), { messages: 0, lastSeq: 0, bytes: 0 });
    },
  },
  {
    name: 'isolation: writes to one process leave versions, expectations and deletes of another alone',
    async run({ driver }) {
      await fill(driver, ADA, 1);
      await fill(driver, BOB, 1);
      await driver.commit({
        pid: ADA,
        puts: [{ ...KEY, value: 'second' }],
        expect: [{ ...KEY, version: 1 }],
      });
      await driver.commit({ pid: ADA, deletes: [KEY] });
      await driver.commit({ pid: BOB, expect: [{ ...KEY, version: 1 }] });
      same(await driver.get(BOB, [KEY]), [{ ...KEY, value: BOB, version: 1 }]);
    },
  },
];
