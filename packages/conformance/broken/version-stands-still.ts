import type { RecallDriver, Row } from '@pagefault/contracts';
import type { Broken } from './broken.js';

const first = (rows: readonly Row[]): readonly Row[] => rows.map((row) => ({ ...row, version: 1 }));

export const versionStandsStill: Broken<RecallDriver> = {
  rule: 'each put raises the version',
  because: 'a put deletes the row and inserts it again',
  wrap: (good) => ({
    ...good,
    load: async (...args) => first(await good.load(...args)),
    get: async (...args) => first(await good.get(...args)),
  }),
  mustFail: [
    'versions: a new row has version 1 and each put adds one',
    'rows: a put without dueAt takes an earlier one away',
    'model: random operations give the same results as the reference',
  ],
};
