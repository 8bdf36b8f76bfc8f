import type { RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

const CHUNK = 1000;

export const forgetsLastAppend: Broken<RecallDriver> = {
  rule: 'all appends of a commit are stored',
  because: 'large batches are cut into chunks, and the last chunk ends one too early',
  wrap: (good) => ({
    ...good,
    async commit(commit, signal) {
      const { appends = [] } = commit;
      const kept = appends.length > CHUNK ? appends.slice(0, -1) : appends;
      await good.commit({ ...commit, appends: kept }, signal);
    },
  }),
  mustFail: ['batch: thousands of messages go into one commit and come back by id and by position (B29)'],
};
