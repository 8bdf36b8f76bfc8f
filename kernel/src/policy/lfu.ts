/**
 * LFU: the page that was needed least often since it came goes first; of those, the one whose last need is longest ago.
 * The count is lost when a page leaves. A birth counts as a need.
 * Source: in-cache LFU of the caching literature; in constant time after Shah, Mitra and Matani, An O(1) Algorithm for
 * Implementing the LFU Cache Eviction Scheme (2010), their pages by count in one list, of which the end of each count is known.
 */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { FrameList } from './frame-list.js';
import { Frames } from './frames.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { pageId, rows, snapshotsOf, whole } from './snapshot.js';

/** No page is needed more often; what says so is no snapshot of ours. */
const MOST_NEEDS = 2 ** 30;
const snapshots = snapshotsOf('lfu', rows(z.tuple([pageId, whole, whole.min(1).max(MOST_NEEDS)])));

export function lfu(): PagingPolicy {
  const pages = new CountedPages();
  return {
    id: 'lfu',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => pages.add(page),
    onNeed: (needs) => {
      for (const { id } of needs) pages.count(id);
    },
    onResidency: (id, now) => {
      if (now === 'evicted') pages.remove(id);
    },
    victims: (ask) => pages.take(ask),
    snapshot: (maxBytes) => snapshots.write(pages.rows(), maxBytes),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (known) pages.load(known);
      return known !== undefined;
    },
  };
}

type Row = [PageId, Tokens, number];

/** In the order of their counts, and those of one count in the order of their last needs. */
class CountedPages {
  readonly #frames = new Frames();
  readonly #list = new FrameList(this.#frames);
  readonly #count = this.#frames.column();
  /** The last frame of each count that occurs. */
  readonly #lastOf = new Map<number, number>();

  add({ id, tokens }: Pick<PageView, 'id' | 'tokens'>): void {
    if (this.#frames.of(id) !== NONE) return;
    const frame = this.#frames.open(id, tokens);
    this.#insert(frame, 1, this.#behind(1) ?? this.#list.first);
  }

  count(id: PageId): void {
    const frame = this.#frames.of(id);
    if (frame === NONE) return;
    const count = this.#count.get(frame);
    // Behind those that were needed as often as it now is; when there are none, behind its old equals.
    const next = this.#behind(count + 1) ?? this.#behind(count) ?? this.#list.first;
    this.#take(frame);
    this.#insert(frame, count + 1, next);
  }

  #behind(count: number): number | undefined {
    const last = this.#lastOf.get(count);
    return last === undefined ? undefined : this.#list.after(last);
  }

  #insert(frame: number, count: number, next: number): void {
    this.#list.insertBefore(next, frame);
    this.#count.set(frame, count);
    this.#lastOf.set(count, frame);
  }

  remove(id: PageId): void {
    const frame = this.#frames.of(id);
    if (frame === NONE) return;
    this.#take(frame);
    this.#frames.close(frame);
  }

  #take(frame: number): void {
    const count = this.#count.get(frame);
    if (this.#lastOf.get(count) === frame) this.#leaveToPrevious(frame, count);
    this.#list.remove(frame);
  }

  #leaveToPrevious(frame: number, count: number): void {
    const previous = this.#list.before(frame);
    if (previous !== this.#list.end && this.#count.get(previous) === count) this.#lastOf.set(count, previous);
    else this.#lastOf.delete(count);
  }

  take(ask: VictimQuery): PageId[] {
    return this.#list.take(ask);
  }

  rows(): Row[] {
    return this.#list.rows().map(([id, tokens]) => [id, tokens, this.#count.get(this.#frames.of(id))]);
  }

  load(rows: readonly (readonly [PageId, Tokens, number])[]): void {
    this.#frames.clear();
    this.#list.clear();
    this.#lastOf.clear();
    for (const [id, tokens, count] of rows.toSorted((a, b) => a[2] - b[2]))
      this.#insert(this.#frames.open(id, tokens), count, this.#list.end);
  }
}
