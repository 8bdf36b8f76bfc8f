/**
 * How often pages were needed of late, in little room: four rows of counters up to 15, of which a page has one each; the
 * least of them is the estimate, never too low. After ten needs a counter all are halved, so that what is long past fades.
 * Source: count-min (Cormode and Muthukrishnan 2005), aged as in TinyLFU (Einziger, Friedman, Manes, ACM Transactions on
 * Storage 2017, §3), with its sample of ten times the memory.
 */
import type { PageId } from '@pagefault/contracts';

const ROWS = 4;
const MOST = 15;
const SAMPLE = 10;

export class FrequencySketch {
  /** Row after row. */
  readonly counters: Uint8Array;
  /** Needs since the last halving. */
  needs = 0;
  readonly #width: number;

  /** `width`: counters of a row, a power of two. */
  constructor(width: number) {
    this.#width = width;
    this.counters = new Uint8Array(ROWS * width);
  }

  add(id: PageId): void {
    for (let row = 0; row < ROWS; row++) {
      const at = this.#at(id, row);
      this.counters[at] = Math.min(MOST, (this.counters[at] ?? 0) + 1);
    }
    this.needs++;
    if (this.needs >= SAMPLE * this.#width) this.#halve();
  }

  estimate(id: PageId): number {
    let least = MOST;
    for (let row = 0; row < ROWS; row++) least = Math.min(least, this.counters[this.#at(id, row)] ?? 0);
    return least;
  }

  #halve(): void {
    for (let at = 0; at < this.counters.length; at++) this.counters[at] = (this.counters[at] ?? 0) >>> 1;
    this.needs = Math.floor(this.needs / 2);
  }

  /** The finaliser of MurmurHash3 (Appleby 2011), its start another one in each row. */
  #at(id: PageId, row: number): number {
    let mixed = Math.imul(id + 1, 0x9e3779b1) ^ Math.imul(row + 1, 0x85ebca77);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return row * this.#width + ((mixed ^ (mixed >>> 16)) & (this.#width - 1));
  }
}
