import { holds, rejects, same } from '../check.js';
import { document } from './document.js';
import { ADA, entries, entry, everything, positions, type RecallCase } from './instance.js';

const STATE = { space: 'state', key: 'k' };

export const atomic: readonly RecallCase[] = [
  {
    name: 'atomic: one commit writes its messages, rows and documents together',
    async run({ driver }) {
      await driver.commit({ pid: ADA, puts: [{ space: 'inbox', key: 'mail', value: 1 }] });
      await driver.commit({
        pid: ADA,
        expect: [{ space: 'inbox', key: 'mail', version: 1 }],
        appends: entries(1, 2),
        puts: [{ ...STATE, value: 1 }],
        deletes: [{ space: 'inbox', key: 'mail' }],
        documents: [document(0, 1)],
      });
      same(await everything(driver, ADA), {
        log: entries(1, 2),
        rows: [{ ...STATE, value: 1, version: 1 }],
        documents: [document(0, 1).indexed],
        postings: [{ term: 'alpaca', ordinal: 0, count: 1 }],
      });
    },
  },
  {
    name: 'atomic: a commit whose last expectation fails writes nothing of any kind',
    async run({ driver }) {
      const mail = { space: 'inbox', key: 'mail' };
      await driver.commit({
        pid: ADA,
        appends: [entry(1)],
        puts: [
          { ...STATE, value: 1 },
          { ...mail, value: 1 },
        ],
      });
      const before = await everything(driver, ADA);
      const late = driver.commit({
        pid: ADA,
        expect: [
          { ...STATE, version: 1 },
          { ...mail, version: 2 },
        ],
        appends: [entry(2)],
        puts: [{ ...STATE, value: 2 }],
        deletes: [mail],
        documents: [document(0, 2)],
      });
      await rejects('E_CONFLICT', late);
      same(await everything(driver, ADA), before);
    },
  },
  {
    name: 'atomic: a commit whose document is taken writes nothing of any kind',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: [entry(1)], documents: [document(0, 1)] });
      const before = await everything(driver, ADA);
      const documents = [document(1, 2), document(0, 2)];
      const again = { pid: ADA, appends: [entry(2)], puts: [{ ...STATE, value: 1 }], documents };
      await rejects('E_CONFLICT', driver.commit(again));
      same(await everything(driver, ADA), before);
    },
  },
  {
    name: 'atomic: after a refusal the next good commit goes through',
    async run({ driver }) {
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, expect: [{ ...STATE, version: 7 }] }));
      await driver.commit({ pid: ADA, appends: [entry(1)] });
      same(await positions(driver, ADA), [1]);
    },
  },
  {
    name: 'race: of many commits with one expectation exactly one wins (C04, C31)',
    async run({ driver }) {
      const racers = [1, 2, 3, 4, 5, 6, 7, 8];
      const outcomes = await Promise.allSettled(
        racers.map((value) =>
          driver.commit({ pid: ADA, expect: [{ ...STATE, version: 0 }], puts: [{ ...STATE, value }] }),
        ),
      );
      const winners = racers.filter((_, i) => outcomes[i]?.status === 'fulfilled');
      same(await driver.get(ADA, [STATE]), [{ ...STATE, value: winners[0], version: 1 }]);
      holds(winners.length === 1, `${winners.length} commits won`);
      await allConflicts(outcomes);
    },
  },
  {
    name: 'race: of many appends to one position exactly one wins (C01, C04)',
    async run({ driver }) {
      const outcomes = await Promise.allSettled(
        [1, 2, 3, 4, 5, 6].map((n) => driver.commit({ pid: ADA, appends: [entry(1, { id: `racer${n}` })] })),
      );
      holds(outcomes.filter(({ status }) => status === 'fulfilled').length === 1, 'exactly one append wins');
      same(await positions(driver, ADA), [1]);
      await allConflicts(outcomes);
    },
  },
];

async function allConflicts(outcomes: readonly PromiseSettledResult<unknown>[]): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') await rejects('E_CONFLICT', Promise.reject(outcome.reason as Error));
  }
}
