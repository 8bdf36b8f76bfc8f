import type { PageId, Tokens } from '@pagefault/contracts';
import { NONE } from './column.js';
import { FrameList, Links } from './frame-list.js';
import { Frames } from './frames.js';
import type { VictimQuery } from './policy.js';
import { nobody, offer } from './victims.js';

/** A few lists of pages, numbered from 0; a page is in one of them at most. What ARC, 2Q and S3-FIFO are made of. */
export class PageLists {
  readonly frames = new Frames();
  readonly #lists: readonly FrameList[];
  readonly #list = this.frames.column();

  constructor(count: number) {
    const links = new Links(this.frames);
    this.#lists = Array.from({ length: count }, () => new FrameList(this.frames, links));
  }

  /** The list with this number. */
  at(list: number): FrameList {
    return this.#lists[list] as FrameList;
  }

  /** The number of the list that a frame is in; `NONE` for `NONE`. */
  listOf(frame: number): number {
    return frame === NONE ? NONE : this.#list.get(frame);
  }

  /** To the end of a list, from wherever it is; a page that is new here takes so many tokens. Its frame. */
  put(list: number, id: PageId, tokens: Tokens): number {
    const known = this.frames.of(id);
    if (known !== NONE) this.move(list, known);
    return known === NONE ? this.#open(list, id, tokens) : known;
  }

  #open(list: number, id: PageId, tokens: Tokens): number {
    const frame = this.frames.open(id, tokens);
    this.#append(list, frame);
    return frame;
  }

  /** To the end of a list, from wherever it is. */
  move(list: number, frame: number): void {
    const from = this.#list.get(frame);
    if (from === list) return this.at(list).moveToEnd(frame);
    this.at(from).remove(frame);
    this.#append(list, frame);
  }

  #append(list: number, frame: number): void {
    this.at(list).append(frame);
    this.#list.set(frame, list);
  }

  /** From whichever list it is in. */
  drop(frame: number): void {
    this.at(this.#list.get(frame)).remove(frame);
    this.frames.close(frame);
  }

  rows(list: number): [PageId, Tokens][] {
    return this.at(list).rows();
  }

  /**
   * What `write` makes of the rows of all lists. When that is empty, for want of room, the lists from `ghosts` on give up
   * their oldest halves, again and again: ghosts only teach, and residents alone can be rebuilt.
   */
  snapshot(ghosts: number, write: (lists: [PageId, Tokens][][]) => Uint8Array): Uint8Array {
    const lists = this.#lists.map((list) => list.rows());
    let most = Math.max(0, ...lists.slice(ghosts).map((list) => list.length));
    for (; ; most = Math.floor(most / 2)) {
      const newest = lists.map((all, n) => (n < ghosts ? all : all.slice(Math.max(0, all.length - most))));
      const bytes = write(newest);
      if (bytes.length > 0 || most === 0) return bytes;
    }
  }

  /** Instead of all there is. Rows name no page twice. */
  load(lists: readonly (readonly (readonly [PageId, Tokens])[])[]): void {
    this.frames.clear();
    for (const list of this.#lists) list.clear();
    for (const [list, rows] of lists.entries()) for (const [id, tokens] of rows) this.put(list, id, tokens);
  }
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
  const victims = nobody();
  let one = first.first;
  let other = second.first;
  let left = first.tokens;
  while (victims.released < ask.release) {
    const isFirst = one !== first.end && (other === second.end || isFirstNext(left));
    const frame = isFirst ? one : other;
    if (frame === second.end) break;
    if (isFirst) one = first.after(frame);
    else other = second.after(frame);
    if (offer(victims, frame, frames, ask) && isFirst) left -= frames.tokens(frame);
  }
  return victims.ids;
}
