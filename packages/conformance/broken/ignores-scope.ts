import type { ArchivalDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const ignoresScope: Broken<ArchivalDriver> = {
  rule: 'a query sees one scope',
  because: 'the filter of the query is lost on the way',
  wrap(good) {
    const scopes = new Set<string>();
    return {
      ...good,
      async upsert(scope, entries, signal) {
        await good.upsert(scope, entries, signal);
        scopes.add(scope);
      },
      async query(query, signal) {
        const hits = [...(await good.query(query, signal))];
        for (const scope of scopes) {
          if (scope !== query.scope) hits.push(...(await good.query({ ...query, scope }, signal)));
        }
        return hits.sort((a, b) => b.score - a.score).slice(0, query.limit);
      },
    };
  },
  mustFail: [
    'remove: all of one scope goes, the others stay (B35)',
    'limit: all that is asked comes when it exists, also when it is much (B15)',
    'scope: a query, a count and a removal see one scope only, though ids are the same',
    'scope: a small one beside a big nearer one still gives its full limit (B14)',
    'scope: a scope is a bound value, and one that begins like another is another (D16)',
  ],
};
