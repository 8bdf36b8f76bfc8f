import type { PageId, Tokens } from '@pagefault/contracts';
import { Column, NONE } from './column.js';
import type { Frames } from './frames.js';
import type { VictimQuery } from './policy.js';
import { sizeNow } from './victims.js';

/** Neighbours of frames in lists. Lists that share links share frames: a frame is in one of them at most. */
export class Links {
  readonly next = new Column();
  readonly previous = new Column();
}

/** Frames in an order, doubly linked, and what their pages take together. */
export class FrameList {
  readonly #frames: Frames;
  readonly #next: Column;
  readonly #previous: Column;
  #first = NONE;
  #last = NONE;
  #length = 0;
  #tokens: Tokens = 0;

  constructor(frames: Frames, links = new Links()) {
    this.#frames = frames;
    this.#next = links.next;
    this.#previous = links.previous;
  }

  get first(): number {
    return this.#first;
  }

  get last(): number {
    return this.#last;
  }

  get length(): number {
    return this.#length;
  }

  get tokens(): Tokens {
    return this.#tokens;
  }

  /** `NONE` after the last. */
  after(frame: number): number {
    return this.#next.get(frame);
  }

  /** `NONE` before the first. */
  before(frame: number): number {
    return this.#previous.get(frame);
  }

  /** To the end. The frame is in no list of these links. */
  append(frame: number): void {
    this.insertBefore(NONE, frame);
  }

  /** `NONE`: at the end. */
  insertBefore(next: number, frame: number): void {
    const previous = next === NONE ? this.#last : this.#previous.get(next);
    this.#link(previous, frame);
    this.#link(frame, next);
    this.#length++;
    this.#tokens += this.#frames.tokens(frame);
  }

  /** The frame is in this list. */
  remove(frame: number): void {
    this.#link(this.#previous.get(frame), this.#next.get(frame));
    this.#length--;
    this.#tokens -= this.#frames.tokens(frame);
  }

  moveToEnd(frame: number): void {
    if (frame === this.#last) return;
    this.#link(this.#previous.get(frame), this.#next.get(frame));
    this.#link(this.#last, frame);
    this.#link(frame, NONE);
  }

  #link(previous: number, next: number): void {
    if (previous === NONE) this.#first = next;
    else this.#next.set(previous, next);
    if (next === NONE) this.#last = previous;
    else this.#previous.set(next, previous);
  }

  clear(): void {
    this.#first = this.#last = NONE;
    this.#length = this.#tokens = 0;
  }

  /** From the first on, as many eligible pages as the release needs; all of them when even they are too few. */
  take(ask: VictimQuery): PageId[] {
    const victims: PageId[] = [];
    this.takeInto(victims, ask);
    return victims;
  }

  /** As `take`; what they release together. */
  takeInto(victims: PageId[], ask: VictimQuery, release = ask.release): Tokens {
    return takeAlong(this.#frames, this.#next, this.#first, ask, release, victims);
  }

  /** As `take`, from the last on. */
  takeFromEnd(ask: VictimQuery): PageId[] {
    const victims: PageId[] = [];
    takeAlong(this.#frames, this.#previous, this.#last, ask, ask.release, victims);
    return victims;
  }

  /** The first from a frame on that may go, or `NONE`. */
  eligible(from: number, ask: VictimQuery): number {
    let frame = from;
    while (frame !== NONE && !ask.isEligible(this.#frames.page(frame))) frame = this.#next.get(frame);
    return frame;
  }

  rows(): [PageId, Tokens][] {
    const rows: [PageId, Tokens][] = [];
    for (let frame = this.#first; frame !== NONE; frame = this.after(frame)) {
      rows.push([this.#frames.page(frame), this.#frames.tokens(frame)]);
    }
    return rows;
  }
}

function takeAlong(
  frames: Frames,
  way: Column,
  from: number,
  ask: VictimQuery,
  release: Tokens,
  victims: PageId[],
): Tokens {
  let released = 0;
  for (let frame = from; frame !== NONE && released < release; frame = way.get(frame)) {
    const id = frames.page(frame);
    if (!ask.isEligible(id)) continue;
    victims.push(id);
    released += sizeNow(ask, id, frames.tokens(frame));
  }
  return released;
}

/**
 * From the fronts of two lists, as many eligible pages as the release needs. While both have some, `isFirstNext` says
 * which list is to give, by the tokens that are left in the first.
 */
export function takeOfTwo(
  frames: Frames,
  first: FrameList,
  second: FrameList,
  ask: VictimQuery,
  isFirstNext: (left: Tokens) => boolean,
): PageId[] {
  const victims: PageId[] = [];
  let [one, other] = [first.eligible(first.first, ask), second.eligible(second.first, ask)];
  let left = first.tokens;
  for (let released = 0; released < ask.release;) {
    const isFirst = one !== NONE && (other === NONE || isFirstNext(left));
    const frame = isFirst ? one : other;
    if (frame === NONE) break;
    const id = frames.page(frame);
    victims.push(id);
    released += sizeNow(ask, id, frames.tokens(frame));
    if (isFirst) left -= frames.tokens(frame);
    if (released >= ask.release) break;
    if (isFirst) one = first.eligible(first.after(frame), ask);
    else other = second.eligible(second.after(frame), ask);
  }
  return victims;
}
