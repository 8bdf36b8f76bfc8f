import type { RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const ignoresAbort: Broken<RecallDriver> = {
  rule: 'a commit whose signal is aborted writes nothing',
  because: 'the signal is looked at after the work',
  wrap: (good) => ({
    ...good,
    async commit(commit, signal) {
      await good.commit(commit);
      await good.load(commit.pid, [], signal);
    },
  }),
  mustFail: ['abort: a commit whose signal is aborted writes nothing'],
};
