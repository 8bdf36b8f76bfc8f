/**
 * SIEVE: as CLOCK, but a new page comes in behind the newest, not behind the hand. So the hand sifts: pages that were
 * needed stay where they are, and pages that nobody needs go soon after they came (quick demotion).
 * Source: Zhang, Yang, Yue, Vigfusson, Rashmi, SIEVE is Simpler than LRU (NSDI 2024), algorithm 1.
 */
import type { PagingPolicy } from './policy.js';
import { ringPolicy } from './ring.js';

export function sieve(): PagingPolicy {
  return ringPolicy('sieve', 'behind the newest');
}
