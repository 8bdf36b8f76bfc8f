/**
 * S3-FIFO: three queues, first in, first out. A new page comes into the small one; when it comes to its front, a page that
 * was needed more than once goes on to the main queue, any other leaves and stays a while as a ghost. A page of the main
 * queue that was needed comes round again, as often as it was. What is needed as a ghost comes into the main queue at once.
 * Source: Yang, Zhang, Qiu, Yue, Rashmi, FIFO Queues Are All You Need for Cache Eviction (SOSP 2023), algorithm 1: a small
 * queue of 10 % of the memory, ghosts for the other 90 %, counts up to 3, promotion above 1.
 *
 * Here queues are in tokens. After each page that goes on, it is looked at anew which queue must give.
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { type Column, NONE } from './column.js';
import type { FrameList } from './frame-list.js';
import type { Frames } from './frames.js';
import { type KnownLists, listsPolicy } from './lists-policy.js';
import { PageLists } from './page-lists.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { areDisjoint, pageId, rows, sizedRows, snapshotsOf, whole } from './snapshot.js';
import { nobody, offer } from './victims.js';

export interface S3FifoOptions {
  /** The small queue's part of the memory; ghosts are remembered for the rest. Default .1, the source's. */
  readonly smallShare?: number;
}

const [SMALL, MAIN, GHOSTS] = [0, 1, 2] as const;
/** Needs are counted up to this. */
const MOST_USES = 3;
/** With more needs than this a page goes on from the small queue to the main one. */
const ENOUGH_USES = 1;

const snapshots = snapshotsOf(
  's3-fifo',
  z.strictObject({
    wanted: pageId.nullable(),
    lists: z.tuple([sizedRows, sizedRows, sizedRows]).refine(areDisjoint),
    /** Of pages that were needed. */
    uses: rows(z.tuple([pageId, whole.min(1).max(MOST_USES)])),
  }),
);
type Knowledge = NonNullable<ReturnType<typeof snapshots.read>>;

export function s3Fifo({ smallShare = 0.1 }: S3FifoOptions = {}): PagingPolicy {
  return listsPolicy('s3-fifo', new ThreeQueues(smallShare));
}

/** Where a page goes that was looked at and did not leave. */
interface Move {
  readonly frame: number;
  readonly list: typeof SMALL | typeof MAIN;
  readonly uses: number;
}

class ThreeQueues implements KnownLists {
  readonly #lists = new PageLists(3);
  readonly frames = this.#lists.frames;
  readonly #small = this.#lists.at(SMALL);
  readonly #main = this.#lists.at(MAIN);
  readonly #ghosts = this.#lists.at(GHOSTS);
  readonly #uses = this.frames.column();
  readonly #smallShare: number;
  #capacity: Tokens = Number.MAX_SAFE_INTEGER;
  /** The ghost that was needed last since the last birth; it stays where it is until then, as in the source. */
  #wanted: PageId | null = null;

  constructor(smallShare: number) {
    this.#smallShare = smallShare;
  }

  resize(capacity: Tokens): void {
    this.#capacity = capacity;
    this.#trim();
  }

  add(id: PageId, tokens: Tokens): void {
    const isWanted = this.#dropWanted();
    this.#uses.set(this.#lists.put(isWanted ? MAIN : SMALL, id, tokens), 0);
  }

  /** False when none is wanted, or it is no ghost any more. */
  #dropWanted(): boolean {
    if (this.#wanted === null) return false;
    const frame = this.frames.of(this.#wanted);
    const isGhost = this.#lists.listOf(frame) === GHOSTS;
    if (isGhost) this.#lists.drop(frame);
    this.#wanted = null;
    return isGhost;
  }

  need(id: PageId, frame: number): void {
    const list = this.#lists.listOf(frame);
    if (list === GHOSTS) this.#wanted = id;
    else if (list !== NONE) this.#uses.set(frame, Math.min(MOST_USES, this.#uses.get(frame) + 1));
  }

  /** Also as a ghost. */
  forget(id: PageId, frame: number): void {
    if (frame !== NONE) this.#lists.drop(frame);
    if (this.#wanted === id) this.#wanted = null;
  }

  victims(ask: VictimQuery): PageId[] {
    const victims = nobody();
    const walk = this.#walk();
    while (victims.released < ask.release) {
      const frame = walk.next(ask.isEligible);
      if (frame === NONE) break;
      offer(victims, frame, this.frames, ask);
    }
    return victims.ids;
  }

  /** The walk that came to this page is made for good. */
  evict(id: PageId, frame: number): void {
    const list = this.#lists.listOf(frame);
    if (list !== SMALL && list !== MAIN) return;
    const walk = this.#walk();
    walk.next((other) => other === id);
    for (const move of walk.moves) {
      this.#lists.move(move.list, move.frame);
      this.#uses.set(move.frame, move.uses);
    }
    if (this.#lists.listOf(frame) === SMALL) this.#lists.move(GHOSTS, frame);
    else this.#lists.drop(frame);
    this.#trim();
  }

  #walk(): Walk {
    return new Walk(this.#lists, this.#uses, this.#smallShare * this.#capacity);
  }

  #trim(): void {
    const most = (1 - this.#smallShare) * this.#capacity;
    while (this.#ghosts.tokens > most) this.#lists.drop(this.#ghosts.first);
  }

  snapshot(maxBytes: number): Uint8Array {
    const { frames } = this;
    const residents = [...this.#small.rows(), ...this.#main.rows()];
    const uses = residents.map(([id]): [PageId, number] => [id, this.#uses.get(frames.of(id))]);
    const used = uses.filter(([, count]) => count > 0);
    return this.#lists.snapshot(GHOSTS, (lists) =>
      snapshots.write({ wanted: this.#wanted, lists: lists as Knowledge['lists'], uses: used }, maxBytes),
    );
  }

  restore(bytes: Uint8Array): boolean {
    const known = snapshots.read(bytes);
    if (!known) return false;
    this.#lists.load(known.lists);
    for (const [id] of known.lists.flat()) this.#uses.set(this.frames.of(id), 0);
    for (const [id, uses] of known.uses) {
      const frame = this.frames.of(id);
      if (frame !== NONE) this.#uses.set(frame, uses);
    }
    this.#wanted = known.wanted;
    this.#trim();
    return true;
  }
}

/** Goes over the queues as an eviction does, and changes nothing: it notes what would move. */
class Walk {
  readonly moves: Move[] = [];
  readonly #frames: Frames;
  readonly #uses: Column;
  readonly #small: FrameList;
  readonly #main: FrameList;
  /** From this on the small queue gives. */
  readonly #smallFrom: Tokens;
  #nextOfSmall: number;
  #nextOfMain: number;
  #smallTokens: Tokens;
  /** Moves to the main queue, which come after what is there. */
  readonly #added: Move[] = [];
  #passed = 0;

  constructor(lists: PageLists, uses: Column, smallFrom: Tokens) {
    this.#frames = lists.frames;
    this.#uses = uses;
    this.#small = lists.at(SMALL);
    this.#main = lists.at(MAIN);
    this.#smallFrom = smallFrom;
    this.#nextOfSmall = this.#small.first;
    this.#nextOfMain = this.#main.first;
    this.#smallTokens = this.#small.tokens;
  }

  /** The next page that would leave and may; `NONE` when there is none. What would leave and may not goes to the end of its queue. */
  next(mayGo: (id: PageId) => boolean): number {
    for (;;) {
      const isSmallOver = this.#nextOfSmall === this.#small.end;
      const isMainOver = this.#nextOfMain === this.#main.end && this.#passed === this.#added.length;
      if (isSmallOver && isMainOver) return NONE;
      const isSmall = !isSmallOver && (isMainOver || this.#smallTokens >= this.#smallFrom);
      const frame = isSmall ? this.#fromSmall() : this.#fromMain();
      if (frame !== NONE && mayGo(this.#frames.page(frame))) {
        if (isSmall) this.#smallTokens -= this.#frames.tokens(frame);
        return frame;
      }
      if (frame !== NONE) this.moves.push({ frame, list: isSmall ? SMALL : MAIN, uses: 0 });
    }
  }

  /** The page at its front, if it would leave. */
  #fromSmall(): number {
    const frame = this.#nextOfSmall;
    this.#nextOfSmall = this.#small.after(frame);
    if (this.#uses.get(frame) <= ENOUGH_USES) return frame;
    this.#smallTokens -= this.#frames.tokens(frame);
    this.#add({ frame, list: MAIN, uses: 0 });
    return NONE;
  }

  #fromMain(): number {
    const { frame, uses } = this.#frontOfMain();
    if (uses === 0) return frame;
    this.#add({ frame, list: MAIN, uses: uses - 1 });
    return NONE;
  }

  #frontOfMain(): { readonly frame: number; readonly uses: number } {
    const frame = this.#nextOfMain;
    if (frame === this.#main.end) return this.#added[this.#passed++] as Move;
    this.#nextOfMain = this.#main.after(frame);
    return { frame, uses: this.#uses.get(frame) };
  }

  #add(move: Move): void {
    this.#added.push(move);
    this.moves.push(move);
  }
}
