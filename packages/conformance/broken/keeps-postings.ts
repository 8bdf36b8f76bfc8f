import { LATEST, type Posting, type RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const keepsPostings: Broken<RecallDriver> = {
  rule: 'what was erased leaves no posting behind',
  because: 'the text index is a table of its own, and nobody thinks of it when a message goes',
  wrap(good) {
    const kept: (Posting & { readonly pid: string })[] = [];
    return {
      ...good,
      async erase(scope, signal) {
        if ('whole' in scope) {
          kept.splice(0, kept.length, ...kept.filter(({ pid }) => pid !== scope.pid));
          return good.erase(scope, signal);
        }
        const lineage = [{ pid: scope.pid, upTo: LATEST }];
        const terms = ['alpaca', 'x', 'y'];
        const before = await good.postings(lineage, 'messages', terms);
        const erased = await good.erase(scope, signal);
        const after = new Set(
          (await good.postings(lineage, 'messages', terms)).map(({ ordinal }) => ordinal),
        );
        const gone = before.filter(({ ordinal }) => !after.has(ordinal));
        kept.push(...gone.map((posting) => ({ ...posting, pid: scope.pid })));
        return erased;
      },
      async postings(lineage, collection, terms, signal) {
        const found = await good.postings(lineage, collection, terms, signal);
        const pids = new Set(lineage.map(({ pid }) => pid));
        const ghosts = collection === 'messages' ? kept.filter(({ pid }) => pids.has(pid)) : [];
        return terms.flatMap((term) =>
          [...found, ...ghosts.map(({ pid: _, ...posting }) => posting)]
            .filter((posting) => posting.term === term)
            .toSorted((a, b) => a.ordinal - b.ordinal),
        );
      },
    };
  },
  mustFail: [
    'erase: single messages go with their documents and postings; rows, passages and others stay (B36)',
    'erase: leaves lease and fence as they are, and a stale fence is E_LEASE_LOST and erases nothing',
    'erase: thousands of messages go at once (B29)',
    'model: random operations give the same results as the reference',
  ],
};
