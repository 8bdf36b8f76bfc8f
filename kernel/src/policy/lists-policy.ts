import type { PageId, Tokens } from '@pagefault/contracts';
import type { Frames } from './frames.js';
import type { PagingPolicy, VictimQuery } from './policy.js';

/**
 * What a policy that is made of lists knows, those that left among them. A page is told with its frame, which is `NONE` when
 * nothing is known of it.
 */
export interface KnownLists {
  readonly frames: Frames;
  resize(capacity: number, unit: 'tokens' | 'pages'): void;
  add(id: PageId, tokens: Tokens): void;
  need(id: PageId, frame: number): void;
  /** It left, and may be remembered. */
  evict(id: PageId, frame: number): void;
  /** It was erased: nothing of it may be kept. */
  forget(id: PageId, frame: number): void;
  victims(ask: VictimQuery): readonly PageId[];
  snapshot(maxBytes: number): Uint8Array;
  restore(bytes: Uint8Array): boolean;
}

/** The interface of a policy over its lists; all of them are at their first version. */
export function listsPolicy(id: string, lists: KnownLists): PagingPolicy {
  const { frames } = lists;
  return {
    id,
    version: 1,
    configure: ({ capacity, unit }) => lists.resize(capacity, unit),
    onBirth: ({ id: page, tokens }) => lists.add(page, tokens),
    onNeed: (needs) => {
      for (const { id: page } of needs) lists.need(page, frames.of(page));
    },
    onResidency: (page, now, cause) => {
      if (cause === 'erasure') lists.forget(page, frames.of(page));
      else if (now === 'evicted') lists.evict(page, frames.of(page));
    },
    victims: (ask) => lists.victims(ask),
    snapshot: (maxBytes) => lists.snapshot(maxBytes),
    restore: (bytes, version) => version === 1 && lists.restore(bytes),
  };
}
