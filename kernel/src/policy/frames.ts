import type { PageId, Tokens } from '@pagefault/contracts';
import { Arena } from './arena.js';
import { Column, NONE } from './column.js';

/** A process would need two thousand million pages to get past it. */
export const LARGEST_PAGE: PageId = 2 ** 31 - 1;

export function isPage(id: PageId): boolean {
  return id >>> 0 === id && id <= LARGEST_PAGE;
}

/** Room of new columns, as a power of two, for the pages of a short session; it doubles when it is full. */
const FIRST_BITS = 6;

/** Columns of the policy that has most, LIRS. */
const MOST_COLUMNS = 8;
/** Chains, tokens and columns in their first room. */
const FIRST_BYTES = (2 * 4 + 8 + MOST_COLUMNS * 4) << FIRST_BITS;

/**
 * What a policy knows a page by: a frame, a small number that is used again when the page has been forgotten. What is known
 * of a frame stands in columns, so that a hit costs a few loads and stores, and nothing for the garbage collector.
 *
 * Frames are found by an inverted page table: pages hash to chains of frames, twice as many chains as there is room for
 * frames, so that most hold one or none. All of it is as large as what is known, however large the numbers of pages are.
 */
export class Frames {
  #room = 1 << FIRST_BITS;
  readonly #arena = new Arena(FIRST_BYTES);
  readonly #columns: Column[] = [];
  readonly #pages = this.column();
  #tokens = this.#arena.floats(this.#room);
  /** The next frame of the same chain; of a free frame, the next free one. */
  readonly #next = this.column();
  /** The first frame of each chain. */
  #chains = this.#arena.integers(2 * this.#room).fill(NONE);
  /** Bits of a hash beyond those that number a chain. */
  #spareBits = 32 - FIRST_BITS - 1;
  #free = NONE;
  #opened = 0;
  #reserved = 0;

  /** Zeros at first; what stands there when a frame is used again is what was left. */
  column(): Column {
    const column = new Column(this.#arena.integers(this.#room));
    this.#columns.push(column);
    return column;
  }

  /** A frame that never has a page. None is to be had once others have been opened. */
  reserve(): number {
    this.#reserved++;
    return this.#take();
  }

  /** `NONE` for a page that is not known. Any number may be asked for. */
  of(id: PageId): number {
    const pages = this.#pages.values;
    const next = this.#next.values;
    let frame = this.#chains[this.#chainOf(id)] as number;
    while (frame !== NONE && pages[frame] !== id) frame = next[frame] as number;
    return frame;
  }

  page(frame: number): PageId {
    return this.#pages.get(frame);
  }

  tokens(frame: number): Tokens {
    return this.#tokens[frame] as Tokens;
  }

  /** A frame for a page that has none. Errors: `RangeError` for an id that is not a whole number up to `LARGEST_PAGE`. */
  open(id: PageId, tokens: Tokens): number {
    if (!isPage(id)) throw new RangeError(`page id ${id} is not a whole number from 0 to ${LARGEST_PAGE}`);
    const frame = this.#take();
    this.#pages.set(frame, id);
    this.#tokens[frame] = tokens;
    this.#enchain(frame, this.#chainOf(id));
    return frame;
  }

  #take(): number {
    const frame = this.#free;
    if (frame === NONE) return this.#takeNew();
    this.#free = this.#next.get(frame);
    return frame;
  }

  #takeNew(): number {
    if (this.#opened === this.#room) this.#grow();
    return this.#opened++;
  }

  #enchain(frame: number, chain: number): void {
    this.#next.set(frame, this.#chains[chain] as number);
    this.#chains[chain] = frame;
  }

  /** It must be in no list any more. */
  close(frame: number): void {
    const next = this.#next.values;
    const chain = this.#chainOf(this.page(frame));
    let before = this.#chains[chain] as number;
    if (before === frame) this.#chains[chain] = next[frame] as number;
    else {
      while (next[before] !== frame) before = next[before] as number;
      next[before] = next[frame] as number;
    }
    next[frame] = this.#free;
    this.#free = frame;
  }

  /** Multiplicative hashing (Knuth, volume 3, §6.4), by 2³² over the golden ratio: pages in a row fall far apart. */
  #chainOf(id: PageId): number {
    return Math.imul(id, 0x9e3779b1) >>> this.#spareBits;
  }

  /** Every page; reserved frames stay. */
  clear(): void {
    this.#chains.fill(NONE);
    this.#free = NONE;
    this.#opened = this.#reserved;
  }

  /** All frames are open. */
  #grow(): void {
    this.#room *= 2;
    for (const column of this.#columns) column.grow(this.#room);
    const tokens = new Float64Array(this.#room);
    tokens.set(this.#tokens);
    this.#tokens = tokens;
    this.#chains = new Int32Array(2 * this.#room).fill(NONE);
    this.#spareBits--;
    for (let frame = this.#reserved; frame < this.#opened; frame++)
      this.#enchain(frame, this.#chainOf(this.page(frame)));
  }
}
