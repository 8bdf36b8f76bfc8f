/**
 * A policy as the classic literature runs it: a first touch is a miss, and what is missed is admitted. The policy is the
 * very object that runs in the kernel; it is told of a page anew each time the page comes back.
 */
import type { PageId } from '@pagefault/contracts';
import type { PagingPolicy, VictimQuery } from '@pagefault/kernel';
import type { Requests } from './requests.js';

export interface DemandReport {
  readonly requests: number;
  /** Requests for a page that was not resident, first touches included. */
  readonly misses: number;
  readonly missBytes: number;
  readonly evictions: number;
}

/**
 * Runs a trace from an empty memory. `capacity` is in pages, or in bytes when the pages have sizes; pages then go until
 * the newcomer fits, and a page that is larger than the memory is not admitted.
 */
export function simulateDemand(policy: PagingPolicy, requests: Requests, capacity: number): DemandReport {
  const { pages, sizes, distinct } = requests;
  const memory = new Memory(policy, capacity, distinct, sizes);
  for (let step = 0; step < pages.length; step++) memory.request(pages[step] ?? 0, step);
  return { requests: pages.length, ...memory.tally };
}

class Memory {
  readonly tally = { misses: 0, missBytes: 0, evictions: 0 };
  readonly #policy: PagingPolicy;
  readonly #capacity: number;
  readonly #sizes: Int32Array | undefined;
  readonly #resident: Uint8Array;
  #used = 0;
  // Told again and again, so made once: a policy keeps none of them.
  readonly #need = { id: 0, why: 'page-in' as const };
  readonly #needs = [this.#need];
  readonly #page = { id: 0, kind: 'user' as const, tokens: 1, firstSeq: 0, lastSeq: 0 };
  readonly #ask = { release: 1, isEligible: () => true, step: 0 } satisfies VictimQuery;

  constructor(policy: PagingPolicy, capacity: number, distinct: number, sizes: Int32Array | undefined) {
    this.#policy = policy;
    this.#capacity = capacity;
    this.#sizes = sizes;
    this.#resident = new Uint8Array(distinct);
    policy.configure({ capacity, unit: sizes ? 'tokens' : 'pages' });
  }

  request(id: PageId, step: number): void {
    this.#need.id = id;
    this.#policy.onNeed(this.#needs, step);
    if (this.#resident[id] === 0) this.#miss(id, step);
  }

  #miss(id: PageId, step: number): void {
    const size = this.#sizes?.[id] ?? 1;
    this.tally.misses++;
    this.tally.missBytes += size;
    if (size > this.#capacity) return;
    this.#ask.step = step;
    while (this.#used + size > this.#capacity) this.#evict(this.#used + size - this.#capacity);
    this.#resident[id] = 1;
    this.#used += size;
    this.#page.id = id;
    this.#page.tokens = size;
    this.#policy.onBirth(this.#page);
  }

  #evict(release: number): void {
    this.#ask.release = release;
    const victims = this.#policy.victims(this.#ask);
    if (victims.length === 0) throw new Error(`policy "${this.#policy.id}" names no victim of a full memory`);
    for (const id of victims) {
      this.#resident[id] = 0;
      this.#used -= this.#sizes?.[id] ?? 1;
      this.tally.evictions++;
      this.#policy.onResidency(id, 'evicted', 'reclaim');
    }
  }
}
