import type { PageId } from '@pagefault/contracts';
import { NONE } from './column.js';

/** Entries of one leaf: 1 KiB, so that a lone old page costs no more than that. */
const LEAF_BITS = 8;
const IN_LEAF = (1 << LEAF_BITS) - 1;

interface Leaf {
  /** Frames plus one, so that a new leaf is empty. */
  readonly frames: Int32Array;
  used: number;
}

/** Leaves kept for later, 1 KiB each. */
const SPARE = 64;

const newLeaf = (): Leaf => ({ frames: new Int32Array(IN_LEAF + 1), used: 0 });

/** A process would need two thousand million pages to get past it. */
export const LARGEST_PAGE: PageId = 2 ** 31 - 1;

export function isPage(id: PageId): boolean {
  return Number.isInteger(id) && id >= 0 && id <= LARGEST_PAGE;
}

/**
 * From pages to frames, in two levels, as a processor's page table: a directory of leaves, each freed when its last entry
 * goes. Page ids are dense and rise, so what is resident lies in few leaves, and a lookup is a few loads, where a `Map` of
 * ten thousand entries hashes and walks.
 */
export class PageTable {
  readonly #leaves: (Leaf | undefined)[] = [];
  /** Emptied ones, to be used again: where pages lie far apart, leaves come and go with them. */
  readonly #spare: Leaf[] = [];

  /** The frame, or `NONE`. Any number may be asked for. */
  get(id: PageId): number {
    if (id >>> 0 !== id) return NONE;
    const leaf = this.#leaves[id >>> LEAF_BITS];
    return leaf === undefined ? NONE : (leaf.frames[id & IN_LEAF] ?? 0) - 1;
  }

  /** For a page that has no frame. Errors: `RangeError` for an id that is not a whole number up to `LARGEST_PAGE`. */
  set(id: PageId, frame: number): void {
    if (!isPage(id)) {
      throw new RangeError(`page id ${id} is not a whole number from 0 to ${LARGEST_PAGE}`);
    }
    const leaf = (this.#leaves[id >>> LEAF_BITS] ??= this.#spare.pop() ?? newLeaf());
    leaf.frames[id & IN_LEAF] = frame + 1;
    leaf.used++;
  }

  /** For a page that has a frame. */
  delete(id: PageId): void {
    const leaf = this.#leaves[id >>> LEAF_BITS];
    if (leaf === undefined) return;
    leaf.frames[id & IN_LEAF] = 0;
    leaf.used--;
    if (leaf.used > 0) return;
    this.#leaves[id >>> LEAF_BITS] = undefined;
    if (this.#spare.length < SPARE) this.#spare.push(leaf);
  }

  clear(): void {
    this.#leaves.length = 0;
  }
}
