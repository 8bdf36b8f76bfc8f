/**
 * Compaction: when something must go, everything goes that may, into the summary.
 * Source: the compaction of coding agents and of Anthropic's API (`compact_20260112`): past a threshold the whole
 * conversation is replaced by a summary of it.
 */
import type { PagingPolicy } from './policy.js';
import { rankedPolicy } from './ranked.js';

export function compaction(): PagingPolicy {
  return rankedPolicy('compaction', (pages) => pages, 'all');
}
