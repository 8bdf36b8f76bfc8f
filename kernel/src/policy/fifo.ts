/**
 * FIFO: the page that came first goes first, used or not.
 * Source: MemGPT (arXiv 2310.08560, §2.1): the context's message queue.
 */
import type { PagingPolicy } from './policy.js';
import { PageList } from './page-list.js';

export function fifo(): PagingPolicy {
  const pages = new PageList();
  return {
    id: 'fifo',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => pages.append(page),
    onNeed: () => undefined,
    onResidency: (id, now) => {
      if (now === 'evicted') pages.remove(id);
    },
    victims: (ask) => pages.take(ask),
    snapshot: (maxBytes) => pages.snapshot(maxBytes),
    restore: (bytes, version) => version === 1 && pages.restore(bytes),
  };
}
