/**
 * LRU: the page whose last need is longest ago goes first; a birth counts as a need.
 * Source: the working-set literature (Denning 1968); in queues of messages a need is a search hit, a page-in
 * or a repeated call, not the mere presence in a request.
 */
import type { PagingPolicy } from './policy.js';
import { PageList } from './page-list.js';

export function lru(): PagingPolicy {
  const pages = new PageList();
  return {
    id: 'lru',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => pages.append(page),
    onNeed: (needs) => {
      for (const need of needs) pages.moveToEnd(need.id);
    },
    onResidency: (id, now) => {
      if (now === 'evicted') pages.remove(id);
    },
    victims: (ask) => pages.take(ask),
    snapshot: (maxBytes) => pages.snapshot(maxBytes),
    restore: (bytes, version) => version === 1 && pages.restore(bytes),
  };
}
