/**
 * LFU: the page that was needed least often since it came goes first; of those, the one whose last need is longest ago.
 * The count is lost when a page leaves. A birth counts as a need.
 * Source: in-cache LFU of the caching literature; in constant time after Shah, Mitra and Matani, An O(1) Algorithm for
 * Implementing the LFU Cache Eviction Scheme (2010): a chain of counts that occur, each with its pages.
 */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { FrameList, Links } from './frame-list.js';
import { Frames } from './frames.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { pageId, rows, snapshotsOf, whole } from './snapshot.js';

const snapshots = snapshotsOf('lfu', rows(z.tuple([pageId, whole, whole.min(1)])));

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

/** Pages of one count, the least recently needed first. */
interface Bucket {
  readonly count: number;
  readonly pages: FrameList;
  lower: Bucket | undefined;
  higher: Bucket | undefined;
}

type Row = [PageId, Tokens, number];

class CountedPages {
  readonly #frames = new Frames();
  readonly #links = new Links();
  /** By frame. */
  readonly #buckets: (Bucket | undefined)[] = [];
  #lowest: Bucket | undefined;

  add({ id, tokens }: Pick<PageView, 'id' | 'tokens'>): void {
    if (this.#frames.of(id) === NONE)
      this.#put(this.#frames.open(id, tokens), this.#bucketAbove(undefined, 1));
  }

  count(id: PageId): void {
    const frame = this.#frames.of(id);
    const from = this.#buckets[frame];
    if (frame === NONE || !from) return;
    const to = this.#bucketAbove(from, from.count + 1);
    this.#take(frame, from);
    this.#put(frame, to);
  }

  remove(id: PageId): void {
    const frame = this.#frames.of(id);
    const from = this.#buckets[frame];
    if (frame === NONE || !from) return;
    this.#take(frame, from);
    this.#frames.close(frame);
  }

  #put(frame: number, bucket: Bucket): void {
    bucket.pages.append(frame);
    this.#buckets[frame] = bucket;
  }

  #take(frame: number, bucket: Bucket): void {
    bucket.pages.remove(frame);
    if (bucket.pages.length > 0) return;
    if (bucket.lower) bucket.lower.higher = bucket.higher;
    else this.#lowest = bucket.higher;
    if (bucket.higher) bucket.higher.lower = bucket.lower;
  }

  /** The bucket of this count, next above another one, or the lowest; made if there is none. */
  #bucketAbove(lower: Bucket | undefined, count: number): Bucket {
    const higher = lower ? lower.higher : this.#lowest;
    if (higher?.count === count) return higher;
    const bucket = { count, pages: new FrameList(this.#frames, this.#links), lower, higher };
    if (higher) higher.lower = bucket;
    if (lower) lower.higher = bucket;
    else this.#lowest = bucket;
    return bucket;
  }

  take(ask: VictimQuery): PageId[] {
    const victims: PageId[] = [];
    let { release } = ask;
    for (let bucket = this.#lowest; bucket && release > 0; bucket = bucket.higher) {
      release -= bucket.pages.takeInto(victims, ask, release);
    }
    return victims;
  }

  rows(): Row[] {
    const rows: Row[] = [];
    for (let bucket = this.#lowest; bucket; bucket = bucket.higher) {
      for (const [id, tokens] of bucket.pages.rows()) rows.push([id, tokens, bucket.count]);
    }
    return rows;
  }

  load(rows: readonly (readonly [PageId, Tokens, number])[]): void {
    this.#frames.clear();
    this.#buckets.length = 0;
    this.#lowest = undefined;
    let bucket: Bucket | undefined;
    for (const [id, tokens, count] of rows.toSorted((a, b) => a[2] - b[2])) {
      if (bucket?.count !== count) bucket = this.#bucketAbove(bucket, count);
      this.#put(this.#frames.open(id, tokens), bucket);
    }
  }
}
