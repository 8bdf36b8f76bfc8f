import { hasCode, type RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const commitsHalf: Broken<RecallDriver> = {
  rule: 'a refused commit writes nothing',
  because: 'rows are written outside the transaction that checks',
  wrap: (good) => ({
    ...good,
    async commit(commit, signal) {
      try {
        await good.commit(commit, signal);
      } catch (error) {
        if (hasCode(error, 'E_CONFLICT')) await good.commit({ pid: commit.pid, puts: commit.puts ?? [] });
        throw error;
      }
    },
  }),
  mustFail: [
    'appends: a position that leaves a gap or is taken is E_CONFLICT and writes nothing',
    'atomic: a commit whose last expectation fails writes nothing of any kind',
    'atomic: a commit whose document is taken writes nothing of any kind',
    'race: of many commits with one expectation exactly one wins (C04, C31)',
    'model: random operations give the same results as the reference',
  ],
};
