import type { RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const pagesByOffset: Broken<RecallDriver> = {
  rule: 'rows that come and go between two pages of a scan make no gaps and no repeats',
  because: 'the cursor is an offset, not the last key',
  wrap: (good) => ({
    ...good,
    async scan(space, { after, limit, ...query }, signal) {
      const { items } = await good.scan(space, { ...query, limit: 10_000 }, signal);
      const from = Number(after ?? 0);
      const page = items.slice(from, from + limit);
      return from + limit < items.length ? { items: page, cursor: `${from + limit}` } : { items: page };
    },
  }),
  mustFail: ['scan: rows that come, go and change between two pages make no gaps and no repeats (B25)'],
};
