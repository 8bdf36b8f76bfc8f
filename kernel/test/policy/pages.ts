/** Births, needs and evictions of hand-made traces, written short. */
import type { PageId, PageView } from '@pagefault/contracts';
import type { PagingPolicy, VictimQuery } from '../../src/policy/policy.js';

export function born(id: PageId, more: Partial<PageView> = {}): PageView {
  return { id, kind: 'user', tokens: 10, firstSeq: id * 10, lastSeq: id * 10, ...more };
}

/** A page of an assistant's calls with their results. */
export function results(id: PageId, more: Partial<PageView> = {}): PageView {
  return born(id, { kind: 'assistant', lastSeq: id * 10 + 1, ...more });
}

export function give(policy: PagingPolicy, ...pages: readonly (PageView | PageId)[]): void {
  for (const page of pages) policy.onBirth(typeof page === 'number' ? born(page) : page);
}

export function need(policy: PagingPolicy, ...ids: readonly PageId[]): void {
  for (const id of ids) policy.onNeed([{ id, why: 'search-hit' }], 0);
}

export function ask(policy: PagingPolicy, release: number, more: Partial<VictimQuery> = {}): PageId[] {
  return [...policy.victims({ release, isEligible: () => true, step: 0, ...more })];
}

/** Asks, and lets what is named go. */
export function take(policy: PagingPolicy, release: number, more: Partial<VictimQuery> = {}): PageId[] {
  const victims = ask(policy, release, more);
  for (const id of victims) policy.onResidency(id, 'evicted', 'reclaim');
  policy.onBoundary?.('flush');
  return victims;
}
