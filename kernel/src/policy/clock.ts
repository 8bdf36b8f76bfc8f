/**
 * CLOCK, or second chance: pages in a ring; the hand takes the first page that was not needed since it last came by, and
 * a new page comes in behind the hand. LRU to one bit of precision, and a need costs no more than that bit.
 * Source: Corbató, A Paging Experiment with the Multics System (MIT 1968); a new page has no use bit, as in libCacheSim.
 */
import type { PagingPolicy } from './policy.js';
import { ringPolicy } from './ring.js';

export function clock(): PagingPolicy {
  return ringPolicy('clock', 'behind the hand');
}
