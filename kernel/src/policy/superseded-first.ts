/**
 * Superseded first: pages that a later one makes out of date go before all others, oldest first; then the oldest. What
 * was read again stands twice in the queue, and the earlier reading is the one that may be wrong.
 * Source: ours, from stale tool results: 79 % of the bytes of agents' contexts (Mason, arXiv 2603.09023).
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import type { PagingPolicy } from './policy.js';
import { bit, rows, snapshotsOf, whole } from './snapshot.js';
import { takeEnough } from './victims.js';

const snapshots = snapshotsOf('superseded-first', rows(z.tuple([whole, whole, bit])));

export function supersededFirst(): PagingPolicy {
  /** Oldest first. */
  let pages = new Map<PageId, { readonly id: PageId; readonly tokens: Tokens; isSuperseded: boolean }>();
  return {
    id: 'superseded-first',
    version: 1,
    configure: () => undefined,
    onBirth: ({ id, tokens, supersedes = [] }) => {
      pages.set(id, { id, tokens, isSuperseded: false });
      for (const older of supersedes) {
        const page = pages.get(older);
        if (page) page.isSuperseded = true;
      }
    },
    onNeed: () => undefined,
    onResidency: (id, now) => {
      if (now === 'evicted') pages.delete(id);
    },
    victims: (ask) => {
      const all = [...pages.values()];
      const [stale, others] = [true, false].map((wanted) =>
        all.filter((page) => page.isSuperseded === wanted),
      );
      return takeEnough([...(stale ?? []), ...(others ?? [])], ask);
    },
    snapshot: (maxBytes) =>
      snapshots.write(
        [...pages.values()].map(({ id, tokens, isSuperseded }) => [id, tokens, isSuperseded ? 1 : 0]),
        maxBytes,
      ),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (known)
        pages = new Map(known.map(([id, tokens, mark]) => [id, { id, tokens, isSuperseded: mark === 1 }]));
      return known !== undefined;
    },
  };
}
