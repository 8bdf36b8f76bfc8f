/**
 * MIN, which knows the future: the page goes that is requested again farthest ahead. With pages of one size no policy misses
 * less; with sizes it is only a good guess, for which page and how large then both matter.
 *
 * Two of them go by this name. Forced: what is missed must come in, as every policy here does (Belady 1966; libCacheSim, the
 * ARC paper). With bypass: the newcomer itself may be the page that goes, which misses a little less still (Caffeine).
 */
import type { DemandReport } from './simulate.js';
import { NEVER, nextUses } from './next-use.js';
import { PageHeap } from './page-heap.js';
import type { Requests } from './requests.js';

export interface MinOptions {
  /** Whether a page that is missed may pass by without coming in. Default false. */
  readonly bypass?: boolean;
  /** By distance alone, or by distance times size, which suits sized pages better (Belady-size). Default `distance`. */
  readonly rank?: 'distance' | 'distance × size';
}

/** `capacity` as in `simulateDemand`. */
export function simulateMin(requests: Requests, capacity: number, options: MinOptions = {}): DemandReport {
  const memory = new ForeseeingMemory(requests, capacity, options);
  for (let step = 0; step < requests.pages.length; step++) memory.request(step);
  return { requests: requests.pages.length, ...memory.tally };
}

class ForeseeingMemory {
  readonly tally = { misses: 0, missBytes: 0, evictions: 0 };
  readonly #requests: Requests;
  readonly #next: Int32Array;
  readonly #resident: PageHeap;
  readonly #options: MinOptions;
  readonly #capacity: number;
  #used = 0;

  constructor(requests: Requests, capacity: number, options: MinOptions) {
    this.#requests = requests;
    this.#next = nextUses(requests);
    this.#resident = new PageHeap(requests.distinct);
    this.#options = options;
    this.#capacity = capacity;
  }

  request(step: number): void {
    const page = this.#requests.pages[step] ?? 0;
    const size = this.#sizeOf(page);
    if (!this.#resident.has(page)) {
      this.tally.misses++;
      this.tally.missBytes += size;
      if (size > this.#capacity || !this.#makesRoom(step, page, size)) return;
      this.#used += size;
    }
    this.#resident.set(page, this.#key(step, page));
  }

  /** False: the newcomer passes by. */
  #makesRoom(step: number, page: number, size: number): boolean {
    while (this.#used + size > this.#capacity) {
      const farthest = this.#resident.top;
      if (this.#options.bypass && this.#resident.keyOf(farthest) <= this.#key(step, page)) return false;
      this.#resident.remove(farthest);
      this.#used -= this.#sizeOf(farthest);
      this.tally.evictions++;
    }
    return true;
  }

  #key(step: number, page: number): number {
    const next = this.#next[step] ?? NEVER;
    return this.#options.rank === 'distance × size' && next !== NEVER
      ? (next - step) * this.#sizeOf(page)
      : next;
  }

  #sizeOf(page: number): number {
    return this.#requests.sizes?.[page] ?? 1;
  }
}
