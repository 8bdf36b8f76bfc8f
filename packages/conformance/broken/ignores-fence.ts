import type { RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const ignoresFence: Broken<RecallDriver> = {
  rule: 'a commit with a stale fence is refused',
  because: 'the lease is checked when it is taken, and not when something is written',
  wrap: (good) => ({
    ...good,
    async commit({ pid, appends = [], puts = [], deletes = [], expect = [], documents = [] }, signal) {
      await good.commit({ pid, appends, puts, deletes, expect, documents }, signal);
    },
  }),
  mustFail: [
    'lease: an expired one can be taken by another owner, with a higher fence',
    'fence: a stale one is E_LEASE_LOST and nothing is written',
    'fence: one that was released, erased or never given is E_LEASE_LOST',
    'model: random operations give the same results as the reference',
  ],
};
