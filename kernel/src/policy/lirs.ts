/**
 * LIRS: the page goes whose last two needs lie farthest apart. Pages with short distances (LIR) hold 99 % of the memory; a
 * short queue holds the others (HIR), and they leave first, in its order. A stack in the order of last needs, which reaches
 * down to the LIR page that was needed longest ago, also holds pages that have left: whoever is needed while in the stack has
 * a shorter distance than the LIR page at its bottom, and takes that one's place.
 * Source: Jiang and Zhang, LIRS: An Efficient Low Inter-reference Recency Set Replacement Policy (SIGMETRICS 2002), §3.3,
 * with 1 % for the queue.
 *
 * Here parts are in tokens. A need of a page that has left is followed by the page that holds what was read again, and that
 * one is born as LIR. When more must go than the queue holds, LIR pages follow, from the bottom of the stack.
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { FrameList } from './frame-list.js';
import { type KnownLists, listsPolicy } from './lists-policy.js';
import { PageLists } from './page-lists.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { areDisjoint, isOnceEach, pageId, type SizedRows, sizedRows, snapshotsOf } from './snapshot.js';
import { nobody, offer } from './victims.js';

export interface LirsOptions {
  /** The queue's part of the memory. Default .01, the source's. */
  readonly queueShare?: number;
  /** The queue holds so much at least. Default 2, the authors' program's, in pages. */
  readonly leastQueue?: Tokens;
  /** The most pages that are remembered after they left. Default 2,048, so that what is kept is bounded; the source has no limit. */
  readonly ghosts?: number;
}

const [LIR, QUEUE, GHOSTS] = [0, 1, 2] as const;
const snapshots = snapshotsOf(
  'lirs',
  z
    .strictObject({
      wanted: pageId.nullable(),
      last: pageId.nullable(),
      lists: z.tuple([sizedRows, sizedRows, sizedRows]),
      /** From the bottom. */
      stack: z.array(pageId).refine(isOnceEach),
    })
    .refine(({ lists, stack }) => isSound(lists, stack)),
);
type Knowledge = NonNullable<ReturnType<typeof snapshots.read>>;

/** A page is in one list; LIR pages and those that left are in the stack; nothing else is but the queue's. */
function isSound(lists: readonly [SizedRows, SizedRows, SizedRows], stack: readonly PageId[]): boolean {
  const idsOf = (list: SizedRows) => list.map(([id]) => id);
  const [known, inStack] = [new Set(lists.flatMap(idsOf)), new Set(stack)];
  const must = [...idsOf(lists[LIR]), ...idsOf(lists[GHOSTS])];
  return areDisjoint(lists) && must.every((id) => inStack.has(id)) && stack.every((id) => known.has(id));
}

export function lirs(options: LirsOptions = {}): PagingPolicy {
  return listsPolicy('lirs', new RecencySets({ queueShare: 0.01, leastQueue: 2, ghosts: 2_048, ...options }));
}

class RecencySets implements KnownLists {
  readonly #options: Required<LirsOptions>;
  readonly #lists = new PageLists(3);
  readonly frames = this.#lists.frames;
  readonly #lir = this.#lists.at(LIR);
  readonly #queue = this.#lists.at(QUEUE);
  readonly #ghosts = this.#lists.at(GHOSTS);
  /** By last need, the newest at its end. Links of its own: a page of the queue may be in both. */
  readonly #stack = new FrameList(this.frames);
  readonly #isStacked = this.frames.column();
  /** What LIR pages may hold. */
  #lirRoom: Tokens = Number.MAX_SAFE_INTEGER;
  /** The page that had left and was needed last, since the last birth. */
  #wanted: PageId | null = null;
  /** What was needed or born last: to need it at once again says nothing of distances. */
  #last: PageId | null = null;

  constructor(options: Required<LirsOptions>) {
    this.#options = options;
  }

  resize(capacity: Tokens): void {
    const { queueShare, leastQueue } = this.#options;
    this.#lirRoom = capacity - Math.max(leastQueue, Math.floor(queueShare * capacity));
    this.#demote();
  }

  add(id: PageId, tokens: Tokens): void {
    const isWanted = this.#dropWanted();
    this.#drop(this.frames.of(id));
    this.#last = id;
    const isLir = isWanted || this.#lir.tokens + tokens <= this.#lirRoom;
    this.#push(this.#lists.put(isLir ? LIR : QUEUE, id, tokens));
    this.#demote();
  }

  /** False when none is wanted, or it is not remembered any more. */
  #dropWanted(): boolean {
    if (this.#wanted === null) return false;
    const frame = this.frames.of(this.#wanted);
    const isGhost = this.#lists.listOf(frame) === GHOSTS;
    this.#wanted = null;
    if (isGhost) this.#drop(frame);
    return isGhost;
  }

  need(id: PageId, frame: number): void {
    if (frame === NONE || id === this.#last) return;
    this.#last = id;
    const list = this.#lists.listOf(frame);
    if (list === LIR) this.#touch(frame);
    else if (list === QUEUE) this.#promote(frame);
    else if (list === GHOSTS) this.#wanted = id;
  }

  #touch(frame: number): void {
    const wasBottom = frame === this.#stack.first;
    this.#stack.moveToEnd(frame);
    if (wasBottom) this.#prune();
  }

  /** A page of the queue that was needed while in the stack becomes LIR; another comes into it anew. */
  #promote(frame: number): void {
    if (this.#isStacked.get(frame) !== 1) {
      this.#push(frame);
      this.#queue.moveToEnd(frame);
      return;
    }
    this.#stack.moveToEnd(frame);
    this.#lists.move(LIR, frame);
    this.#demote();
  }

  #push(frame: number): void {
    this.#stack.append(frame);
    this.#isStacked.set(frame, 1);
  }

  #unstack(frame: number): void {
    this.#stack.remove(frame);
    this.#isStacked.set(frame, 0);
  }

  /** LIR pages leave their set for the queue, from the bottom of the stack, until they fit. */
  #demote(): void {
    while (this.#lir.tokens > this.#lirRoom && this.#lir.length > 0) {
      this.#prune();
      const bottom = this.#stack.first;
      this.#unstack(bottom);
      this.#lists.move(QUEUE, bottom);
    }
    this.#prune();
  }

  /** The bottom of the stack is a LIR page: what lies below says nothing any more. */
  #prune(): void {
    for (let bottom = this.#stack.first; bottom !== this.#stack.end; bottom = this.#stack.first) {
      const list = this.#lists.listOf(bottom);
      if (list === LIR) return;
      this.#unstack(bottom);
      if (list === GHOSTS) this.#lists.drop(bottom);
    }
  }

  evict(id: PageId, frame: number): void {
    const list = this.#lists.listOf(frame);
    if (list === QUEUE && this.#isStacked.get(frame) === 1) this.#lists.move(GHOSTS, frame);
    else if (list === QUEUE || list === LIR) this.forget(id, frame);
    while (this.#ghosts.length > this.#options.ghosts) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const frame = this.#ghosts.first;
    this.forget(this.frames.page(frame), frame);
  }

  /** Also where it has left. */
  forget(id: PageId, frame: number): void {
    if (this.#wanted === id) this.#wanted = null;
    if (this.#last === id) this.#last = null;
    this.#drop(frame);
  }

  #drop(frame: number): void {
    if (frame === NONE) return;
    if (this.#isStacked.get(frame) === 1) this.#unstack(frame);
    this.#lists.drop(frame);
    this.#prune();
  }

  victims(ask: VictimQuery): PageId[] {
    const victims = nobody();
    this.#queue.takeInto(victims, ask);
    const stack = this.#stack;
    for (
      let frame = stack.first;
      frame !== stack.end && victims.released < ask.release;
      frame = stack.after(frame)
    )
      if (this.#lists.listOf(frame) === LIR) offer(victims, frame, this.frames, ask);
    return victims.ids;
  }

  snapshot(maxBytes: number): Uint8Array {
    const stack = this.#stack.rows().map(([id]) => id);
    return this.#lists.snapshot(GHOSTS, (lists) => {
      const kept = new Set(lists.flat().map(([id]) => id));
      const wanted = this.#wanted !== null && kept.has(this.#wanted) ? this.#wanted : null;
      const known = { wanted, last: this.#last, stack: stack.filter((id) => kept.has(id)) };
      return snapshots.write({ ...known, lists: lists as Knowledge['lists'] }, maxBytes);
    });
  }

  restore(bytes: Uint8Array): boolean {
    const known = snapshots.read(bytes);
    if (!known) return false;
    this.#lists.load(known.lists);
    this.#stack.clear();
    for (const [id] of known.lists.flat()) this.#isStacked.set(this.frames.of(id), 0);
    for (const id of known.stack) this.#push(this.frames.of(id));
    this.#wanted = known.wanted;
    this.#last = known.last;
    this.#demote();
    return true;
  }
}
