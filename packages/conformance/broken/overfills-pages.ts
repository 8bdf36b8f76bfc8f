import type { RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const overfillsPages: Broken<RecallDriver> = {
  rule: 'a page holds no more than its limit',
  because: 'one row more is fetched to see whether more follows, and it is handed out too',
  wrap: (good) => ({
    ...good,
    read: (lineage, query, signal) => good.read(lineage, { ...query, limit: query.limit + 1 }, signal),
  }),
  mustFail: ['limit: a page is exactly as long as asked while more follows'],
};
