/**
 * Cold-cache window: the older pages leave when the provider's cache has gone cold anyway, so that the new prefix costs
 * nothing that the next request would not cost; else only when the queue is full.
 * Source: ours, from the prices of prompt caching; coding agents compact while idle, before a cache expires, to the same end.
 * 70 % is the kernel's `backgroundShare`: with less in the queue there is little to gain.
 */
import { fifo } from '@pagefault/kernel';
import type { Scheme } from './scheme.js';

export const coldCacheWindow: Scheme = {
  name: 'cold-cache-window',
  make: fifo,
  setup: { flushShare: 1, targetShare: 0.5, coldShare: 0.7 },
  stack: { policy: 'fifo', limits: { flushShare: 1, targetShare: 0.5, backgroundShare: 0.7 } },
};
