import { LATEST, type RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const ignoresCut: Broken<RecallDriver> = {
  rule: 'what an ancestor wrote after the cut is not found by its children',
  because: 'the text index joins by process and forgets the position',
  wrap: (good) => ({
    ...good,
    postings: (lineage, ...rest) =>
      good.postings(
        lineage.map(({ pid }) => ({ pid, upTo: LATEST })),
        ...rest,
      ),
  }),
  mustFail: [
    'lineage: postings and documents are cut where the log is',
    "lineage: a passage that an ancestor took in after the cut, at the same position of the log, is not the child's",
    'lineage: the process itself may be cut too, and its future stays out',
    'model: random operations give the same results as the reference',
  ],
};
