import { arc, lirs, POLICIES, type PagingPolicy } from '@pagefault/kernel';

/** The policies of the caching literature, with the parameters of their sources: what is remembered is not bounded as in the kernel. */
export const LITERATURE = {
  fifo: POLICIES.fifo,
  random: POLICIES.random,
  lru: POLICIES.lru,
  mru: POLICIES.mru,
  clock: POLICIES.clock,
  sieve: POLICIES.sieve,
  lfu: POLICIES.lfu,
  '2q': POLICIES['2q'],
  's3-fifo': POLICIES['s3-fifo'],
  arc: () => arc({ ghosts: Infinity }),
  lirs: () => lirs({ ghosts: Infinity }),
  'w-tinylfu': POLICIES['w-tinylfu'],
} as const satisfies Record<string, () => PagingPolicy>;

export type LiteratureName = keyof typeof LITERATURE;
