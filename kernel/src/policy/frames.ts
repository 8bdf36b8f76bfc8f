import type { PageId, Tokens } from '@pagefault/contracts';
import { Column, NONE } from './column.js';
import { PageTable } from './page-table.js';

/**
 * What a policy knows a page by: a frame, a small number that is used again when the page has been forgotten. What is known
 * of a frame stands in columns, so that a hit costs a few loads and stores, and nothing for the garbage collector.
 */
export class Frames {
  readonly #table = new PageTable();
  readonly #pages = new Column();
  #tokens = new Float64Array(16);
  /** The next free frame after each free frame. */
  readonly #nextFree = new Column();
  #free = NONE;
  #opened = 0;

  /** `NONE` for a page that is not known. */
  of(id: PageId): number {
    return this.#table.get(id);
  }

  page(frame: number): PageId {
    return this.#pages.get(frame);
  }

  tokens(frame: number): Tokens {
    return this.#tokens[frame] ?? 0;
  }

  /** A frame for a page that has none. */
  open(id: PageId, tokens: Tokens): number {
    const frame = this.#free === NONE ? this.#opened++ : this.#free;
    if (frame === this.#free) this.#free = this.#nextFree.get(frame);
    this.#table.set(id, frame);
    this.#pages.set(frame, id);
    if (frame >= this.#tokens.length) this.#grow();
    this.#tokens[frame] = tokens;
    return frame;
  }

  /** It must be in no list any more. */
  close(frame: number): void {
    this.#table.delete(this.page(frame));
    this.#nextFree.set(frame, this.#free);
    this.#free = frame;
  }

  clear(): void {
    this.#table.clear();
    this.#free = NONE;
    this.#opened = 0;
  }

  #grow(): void {
    const tokens = new Float64Array(this.#tokens.length * 2);
    tokens.set(this.#tokens);
    this.#tokens = tokens;
  }
}
