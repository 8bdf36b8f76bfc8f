import type { PageId, Tokens } from '@pagefault/contracts';
import type { Column } from './column.js';
import type { Frames } from './frames.js';
import type { VictimQuery } from './policy.js';
import { nobody, offer, type Victims } from './victims.js';

/** Neighbours of frames in lists. Lists that share links share frames: a frame is in one of them at most. */
export class Links {
  readonly next: Column;
  readonly previous: Column;

  constructor(frames: Frames) {
    this.next = frames.column();
    this.previous = frames.column();
  }
}

/** Frames in an order, doubly linked, and what their pages take together. */
export class FrameList {
  /** A frame without a page, behind the last and before the first: so the list is a ring, and no place in it is special. */
  readonly end: number;
  /** What the pages take together. */
  tokens: Tokens = 0;
  length = 0;
  readonly #frames: Frames;
  readonly #links: Links;

  constructor(frames: Frames, links = new Links(frames)) {
    this.#frames = frames;
    this.#links = links;
    this.end = frames.reserve();
    this.clear();
  }

  /** `end` when it is empty. */
  get first(): number {
    return this.#links.next.get(this.end);
  }

  /** `end` when it is empty. */
  get last(): number {
    return this.#links.previous.get(this.end);
  }

  /** `end` after the last. */
  after(frame: number): number {
    return this.#links.next.get(frame);
  }

  /** `end` before the first. */
  before(frame: number): number {
    return this.#links.previous.get(frame);
  }

  /** The frame is in no list of these links. */
  append(frame: number): void {
    this.insertBefore(this.end, frame);
  }

  insertBefore(next: number, frame: number): void {
    insert(this.#links, next, frame);
    this.length++;
    this.tokens += this.#frames.tokens(frame);
  }

  /** The frame is in this list. */
  remove(frame: number): void {
    take(this.#links, frame);
    this.length--;
    this.tokens -= this.#frames.tokens(frame);
  }

  moveToEnd(frame: number): void {
    take(this.#links, frame);
    insert(this.#links, this.end, frame);
  }

  clear(): void {
    this.#links.next.set(this.end, this.end);
    this.#links.previous.set(this.end, this.end);
    this.length = this.tokens = 0;
  }

  /** From the first on, as many eligible pages as the release needs; all of them when even they are too few. */
  take(ask: VictimQuery): PageId[] {
    const victims = nobody();
    this.takeInto(victims, ask);
    return victims.ids;
  }

  /** As `take`, beside those that are named. */
  takeInto(victims: Victims, ask: VictimQuery): void {
    for (
      let frame = this.first;
      frame !== this.end && victims.released < ask.release;
      frame = this.after(frame)
    )
      offer(victims, frame, this.#frames, ask);
  }

  /** As `take`, from the last on. */
  takeFromEnd(ask: VictimQuery): PageId[] {
    const victims = nobody();
    for (
      let frame = this.last;
      frame !== this.end && victims.released < ask.release;
      frame = this.before(frame)
    )
      offer(victims, frame, this.#frames, ask);
    return victims.ids;
  }

  rows(): [PageId, Tokens][] {
    const rows: [PageId, Tokens][] = [];
    for (let frame = this.first; frame !== this.end; frame = this.after(frame))
      rows.push([this.#frames.page(frame), this.#frames.tokens(frame)]);
    return rows;
  }
}

function insert(links: Links, after: number, frame: number): void {
  const next = links.next.values;
  const previous = links.previous.values;
  const before = previous[after] as number;
  next[before] = frame;
  previous[frame] = before;
  next[frame] = after;
  previous[after] = frame;
}

function take(links: Links, frame: number): void {
  const next = links.next.values;
  const previous = links.previous.values;
  const before = previous[frame] as number;
  const after = next[frame] as number;
  next[before] = after;
  previous[after] = before;
}
