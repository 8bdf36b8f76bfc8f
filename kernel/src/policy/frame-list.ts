import type { PageId, Tokens } from '@pagefault/contracts';
import type { Column } from './column.js';
import type { Frames } from './frames.js';
import type { VictimQuery } from './policy.js';
import { Victims } from './victims.js';

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
  readonly #frames: Frames;
  readonly #next: Column;
  readonly #previous: Column;
  #length = 0;
  #tokens: Tokens = 0;

  constructor(frames: Frames, links = new Links(frames)) {
    this.#frames = frames;
    this.#next = links.next;
    this.#previous = links.previous;
    this.end = frames.reserve();
    this.clear();
  }

  /** `end` when it is empty. */
  get first(): number {
    return this.#next.get(this.end);
  }

  /** `end` when it is empty. */
  get last(): number {
    return this.#previous.get(this.end);
  }

  get length(): number {
    return this.#length;
  }

  get tokens(): Tokens {
    return this.#tokens;
  }

  /** `end` after the last. */
  after(frame: number): number {
    return this.#next.get(frame);
  }

  /** `end` before the first. */
  before(frame: number): number {
    return this.#previous.get(frame);
  }

  /** The frame is in no list of these links. */
  append(frame: number): void {
    this.insertBefore(this.end, frame);
  }

  insertBefore(next: number, frame: number): void {
    this.#link(this.#previous.get(next), frame);
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
    this.#link(this.#previous.get(frame), this.#next.get(frame));
    this.#link(this.#previous.get(this.end), frame);
    this.#link(frame, this.end);
  }

  #link(previous: number, next: number): void {
    this.#next.set(previous, next);
    this.#previous.set(next, previous);
  }

  clear(): void {
    this.#link(this.end, this.end);
    this.#length = this.#tokens = 0;
  }

  /** From the first on, as many eligible pages as the release needs; all of them when even they are too few. */
  take(ask: VictimQuery): PageId[] {
    const victims = new Victims(this.#frames, ask);
    this.offerTo(victims);
    return victims.ids;
  }

  /** From the first on, until they are enough. */
  offerTo(victims: Victims): void {
    for (let frame = this.first; frame !== this.end && !victims.isEnough; frame = this.after(frame))
      victims.offer(frame);
  }

  /** As `take`, from the last on. */
  takeFromEnd(ask: VictimQuery): PageId[] {
    const victims = new Victims(this.#frames, ask);
    for (let frame = this.last; frame !== this.end && !victims.isEnough; frame = this.before(frame))
      victims.offer(frame);
    return victims.ids;
  }

  rows(): [PageId, Tokens][] {
    const rows: [PageId, Tokens][] = [];
    for (let frame = this.first; frame !== this.end; frame = this.after(frame))
      rows.push([this.#frames.page(frame), this.#frames.tokens(frame)]);
    return rows;
  }
}
