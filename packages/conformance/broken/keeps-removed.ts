import type { ArchivalDriver, Scope, VectorEntry } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const keepsRemoved: Broken<ArchivalDriver> = {
  rule: 'what was removed is not found any more',
  because: 'a cache in front of the index is not told of removals',
  wrap(good) {
    const cached = new Map<Scope, readonly VectorEntry[]>();
    return {
      ...good,
      async remove(scope, ids, signal) {
        await good.remove(scope, ids, signal);
        if (ids !== 'all') await good.upsert(scope, cached.get(scope) ?? []);
      },
      async upsert(scope, entries, signal) {
        await good.upsert(scope, entries, signal);
        cached.set(scope, entries.slice(0, 2));
      },
    };
  },
  mustFail: [
    'remove: what was removed is not found any more, unknown ids are passed over (B36)',
    'hostile: ids are bound values of their own and come back exactly (B17, B18)',
    'batch: thousands of entries go in at once and out at once (B19, B29)',
    'scope: a query, a count and a removal see one scope only, though ids are the same',
  ],
};
