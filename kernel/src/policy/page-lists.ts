import type { PageId, Tokens } from '@pagefault/contracts';
import { Column, NONE } from './column.js';
import { FrameList, Links } from './frame-list.js';
import { Frames } from './frames.js';

/** A few lists of pages, numbered from 0; a page is in one of them at most. What ARC, 2Q and S3-FIFO are made of. */
export class PageLists {
  readonly frames = new Frames();
  readonly #lists: readonly FrameList[];
  readonly #where = new Column();

  constructor(count: number) {
    const links = new Links();
    this.#lists = Array.from({ length: count }, () => new FrameList(this.frames, links));
  }

  /** The list with this number. */
  at(list: number): FrameList {
    return this.#lists[list] as FrameList;
  }

  /** The number of the page's list; `NONE` for a page that is in none. */
  whereIs(id: PageId): number {
    const frame = this.frames.of(id);
    return frame === NONE ? NONE : this.#where.get(frame);
  }

  /** To the end of a list, from wherever it is; a page that is new here takes so many tokens. */
  put(list: number, id: PageId, tokens: Tokens): void {
    const frame = this.frames.of(id);
    if (frame === NONE) this.#add(list, this.frames.open(id, tokens));
    else this.moveFrame(list, frame);
  }

  /** To the end of a list, from wherever it is. */
  moveFrame(list: number, frame: number): void {
    const from = this.#where.get(frame);
    if (from === list) return this.at(list).moveToEnd(frame);
    this.at(from).remove(frame);
    this.#add(list, frame);
  }

  #add(list: number, frame: number): void {
    this.at(list).append(frame);
    this.#where.set(frame, list);
  }

  /** From whichever list it is in. */
  remove(id: PageId): void {
    const frame = this.frames.of(id);
    if (frame !== NONE) this.drop(frame);
  }

  drop(frame: number): void {
    this.at(this.#where.get(frame)).remove(frame);
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
