/**
 * 2Q: a new page comes into a short queue, first in, first out; a page that is needed again after it left that queue has
 * shown that it is used, and comes into a list in the order of needs. So a page that is used once, however often within a
 * short time, does not push out what is used again and again.
 * Source: Johnson and Shasha, 2Q: A Low Overhead High Performance Buffer Management Replacement Algorithm (VLDB 1994), the
 * full version: `recent` is its A1in with Kin = 25 % of the memory, `ghosts` its A1out with Kout = 50 %, `often` its Am.
 *
 * Here queues are in tokens; with pages of one size it is the source's to the page. A need of a ghost is followed by the
 * page that holds what was read again, and that one is born among the pages used often.
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { type KnownLists, listsPolicy } from './lists-policy.js';
import { PageLists, takeOfTwo } from './page-lists.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { areDisjoint, pageId, sizedRows, snapshotsOf } from './snapshot.js';

export interface TwoQueueOptions {
  /** The part of the memory above which the queue of new pages is drained first. Default .25, the source's. */
  readonly recentShare?: number;
  /** Ghosts that are remembered, as a part of the memory. Default .5, the source's. */
  readonly ghostShare?: number;
}

const [RECENT, OFTEN, GHOSTS] = [0, 1, 2] as const;
const snapshots = snapshotsOf(
  '2q',
  z.strictObject({
    wanted: pageId.nullable(),
    lists: z.tuple([sizedRows, sizedRows, sizedRows]).refine(areDisjoint),
  }),
);

export function twoQueue({ recentShare = 0.25, ghostShare = 0.5 }: TwoQueueOptions = {}): PagingPolicy {
  return listsPolicy('2q', new TwoQueues(recentShare, ghostShare));
}

class TwoQueues implements KnownLists {
  readonly #lists = new PageLists(3);
  readonly frames = this.#lists.frames;
  readonly #recent = this.#lists.at(RECENT);
  readonly #often = this.#lists.at(OFTEN);
  readonly #ghosts = this.#lists.at(GHOSTS);
  readonly #recentShare: number;
  readonly #ghostShare: number;
  #capacity: Tokens = Number.MAX_SAFE_INTEGER;
  /** The ghost that was needed last since the last birth; it stays where it is until then, as in the source. */
  #wanted: PageId | null = null;

  constructor(recentShare: number, ghostShare: number) {
    this.#recentShare = recentShare;
    this.#ghostShare = ghostShare;
  }

  resize(capacity: Tokens): void {
    this.#capacity = capacity;
    this.#trim();
  }

  add(id: PageId, tokens: Tokens): void {
    const isWanted = this.#wanted !== null;
    if (isWanted) this.#dropWanted();
    this.#lists.put(isWanted ? OFTEN : RECENT, id, tokens);
  }

  #dropWanted(): void {
    const frame = this.frames.of(this.#wanted ?? NONE);
    if (this.#lists.listOf(frame) === GHOSTS) this.#lists.drop(frame);
    this.#wanted = null;
  }

  need(id: PageId, frame: number): void {
    const list = this.#lists.listOf(frame);
    if (list === OFTEN) this.#often.moveToEnd(frame);
    if (list === GHOSTS) this.#wanted = id;
  }

  evict(id: PageId, frame: number): void {
    const list = this.#lists.listOf(frame);
    if (list === OFTEN) this.forget(id, frame);
    if (list !== RECENT) return;
    this.#lists.move(GHOSTS, frame);
    this.#trim();
  }

  /** Also as a ghost. */
  forget(id: PageId, frame: number): void {
    if (frame !== NONE) this.#lists.drop(frame);
    if (this.#wanted === id) this.#wanted = null;
  }

  victims(ask: VictimQuery): PageId[] {
    return takeOfTwo(this.frames, this.#recent, this.#often, ask, this.#isRecentFull);
  }

  readonly #isRecentFull = (tokens: Tokens): boolean => tokens > this.#recentShare * this.#capacity;

  #trim(): void {
    while (this.#ghosts.tokens > this.#ghostShare * this.#capacity) this.#lists.drop(this.#ghosts.first);
  }

  snapshot(maxBytes: number): Uint8Array {
    return this.#lists.snapshot(GHOSTS, (lists) =>
      snapshots.write({ wanted: this.#wanted, lists: lists as Knowledge['lists'] }, maxBytes),
    );
  }

  restore(bytes: Uint8Array): boolean {
    const known = snapshots.read(bytes);
    if (!known) return false;
    this.#lists.load(known.lists);
    this.#wanted = known.wanted;
    this.#trim();
    return true;
  }
}

type Knowledge = NonNullable<ReturnType<typeof snapshots.read>>;
