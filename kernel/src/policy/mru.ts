/**
 * MRU: the page that was needed last goes first; a birth counts as a need. Right for loops that are longer than the memory,
 * where it keeps what comes round again, and wrong for most else: a bound from the other side.
 * Source: Chou and DeWitt, An Evaluation of Buffer Management Strategies for Relational Database Systems (VLDB 1985), on
 * looping references.
 */
import { PageList } from './page-list.js';
import type { PagingPolicy } from './policy.js';
import { sizedRows, snapshotsOf } from './snapshot.js';

const snapshots = snapshotsOf('mru', sizedRows);

export function mru(): PagingPolicy {
  const pages = new PageList();
  return {
    id: 'mru',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => pages.append(page),
    onNeed: (needs) => {
      for (const need of needs) pages.moveToEnd(need.id);
    },
    onResidency: (id, now) => {
      if (now === 'evicted') pages.remove(id);
    },
    victims: (ask) => pages.takeFromEnd(ask),
    snapshot: (maxBytes) => snapshots.write(pages.rows(), maxBytes),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (known) pages.load(known);
      return known !== undefined;
    },
  };
}
