/** What holds on every trace and at every size. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intern, LITERATURE, lruCurve, type Requests, simulateDemand, simulateMin } from '../../src/index.js';

const keys = fc.array(fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 20 })), { minLength: 1, maxLength: 120 });
const frames = fc.integer({ min: 4, max: 12 });
const ALL = Object.entries(LITERATURE);

/** The fewest misses that any order of evictions comes to, by trying all of them. */
function fewest({ pages }: Requests, capacity: number, bypass: boolean): number {
  const from = new Map<string, number>();
  const best = (at: number, resident: readonly number[]): number => {
    const page = pages[at];
    if (page === undefined) return 0;
    if (resident.includes(page)) return best(at + 1, resident);
    const key = `${at}:${resident.join(',')}`;
    const known = from.get(key);
    if (known !== undefined) return known;
    const kept =
      resident.length < capacity
        ? [resident]
        : resident.map((gone) => resident.filter((one) => one !== gone));
    const next = kept.map((some) =>
      best(
        at + 1,
        [...some, page].toSorted((a, b) => a - b),
      ),
    );
    if (bypass) next.push(best(at + 1, resident));
    const misses = 1 + Math.min(...next);
    from.set(key, misses);
    return misses;
  };
  return best(0, []);
}

describe('on any trace of pages of one size', () => {
  it('no policy misses less than MIN, and MIN with bypass no more than MIN', () => {
    fc.assert(
      fc.property(keys, frames, (trace, capacity) => {
        const requests = intern(trace);
        const forced = simulateMin(requests, capacity).misses;
        expect(simulateMin(requests, capacity, { bypass: true }).misses).toBeLessThanOrEqual(forced);
        for (const [name, make] of ALL) {
          const { misses } = simulateDemand(make(), requests, capacity);
          expect(misses, name).toBeGreaterThanOrEqual(forced);
        }
      }),
    );
  });

  it('both MINs come to what trying every eviction comes to', () => {
    const few = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(few, fc.integer({ min: 1, max: 4 }), (trace, capacity) => {
        const requests = intern(trace);
        for (const bypass of [false, true]) {
          expect(simulateMin(requests, capacity, { bypass }).misses).toBe(fewest(requests, capacity, bypass));
        }
      }),
    );
  });

  it('the curve of LRU says at every size what LRU does there', () => {
    fc.assert(
      fc.property(keys, (trace) => {
        const requests = intern(trace);
        const curve = lruCurve(requests);
        expect(curve).toHaveLength(requests.distinct + 1);
        for (let capacity = 1; capacity <= requests.distinct; capacity++) {
          expect(curve[capacity]).toBe(simulateDemand(LITERATURE.lru(), requests, capacity).misses);
        }
      }),
    );
  });

  it('a memory for all pages misses each once, and other names of pages change nothing', () => {
    fc.assert(
      fc.property(keys, frames, (trace, capacity) => {
        const requests = intern(trace);
        const renamed = intern(trace.map((key) => `page ${key * 31 + 7}`));
        for (const [name, make] of ALL) {
          expect(simulateDemand(make(), requests, requests.distinct + 2).misses, name).toBe(
            requests.distinct,
          );
          expect(simulateDemand(make(), renamed, capacity)).toEqual(
            simulateDemand(make(), requests, capacity),
          );
        }
      }),
    );
  });
});

describe('on a loop that is one page too long', () => {
  it.each(['fifo', 'lru', 'clock', 'sieve'] as const)('%s always misses', (name) => {
    const loop = intern(Array.from({ length: 500 }, (_, n) => n % 21));
    expect(simulateDemand(LITERATURE[name](), loop, 20).misses).toBe(500);
  });

  it('mru does what MIN does', () => {
    const loop = intern(Array.from({ length: 2_000 }, (_, n) => n % 21));
    expect(simulateDemand(LITERATURE.mru(), loop, 20).misses).toBe(simulateMin(loop, 20).misses);
  });
});

describe('with pages of many sizes', () => {
  const sized = fc.tuple(fc.nat({ max: 8 }), fc.integer({ min: 1, max: 9 }));
  const sizedRequests = (rows: readonly (readonly [number, number])[]): Requests => {
    const requests = intern(rows.map(([key]) => key));
    const sizes = new Int32Array(requests.distinct);
    for (const [at, [, size]] of rows.entries()) sizes[requests.pages[at] ?? 0] ||= size;
    return { ...requests, sizes };
  };

  it('a page that is larger than the memory never comes in, and all others do', () => {
    fc.assert(
      fc.property(fc.array(sized, { maxLength: 60 }), (rows) => {
        const requests = sizedRequests(rows);
        const tooLarge = [...requests.pages].filter((page) => (requests.sizes?.[page] ?? 0) > 6);
        for (const [name, make] of ALL) {
          const { misses, evictions } = simulateDemand(make(), requests, 6);
          expect(misses - tooLarge.length, name).toBeGreaterThanOrEqual(evictions);
        }
      }),
    );
  });

  it('the farthest page is not always the best to go: distance times size may miss less', () => {
    // A large page that is needed soon, and small ones that are needed later.
    const rows = [
      [0, 6],
      [1, 1],
      [2, 1],
      [3, 6],
      [0, 6],
      [1, 1],
      [2, 1],
      [3, 6],
      [1, 1],
      [2, 1],
      [0, 6],
      [1, 1],
      [2, 1],
    ] as const;
    const requests = sizedRequests(rows);
    const [distance, product] = (['distance', 'distance × size'] as const).map((rank) =>
      simulateMin(requests, 9, { rank }),
    );
    expect(product?.misses).toBeLessThan(distance?.misses ?? 0);
  });
});
