/** The classic policies against published counts, and against their papers' pseudo-code. */
import type { PageId } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arc } from '../../src/policy/arc.js';
import { clock } from '../../src/policy/clock.js';
import { fifo } from '../../src/policy/fifo.js';
import { lfu } from '../../src/policy/lfu.js';
import { lirs } from '../../src/policy/lirs.js';
import { lru } from '../../src/policy/lru.js';
import { mru } from '../../src/policy/mru.js';
import type { PagingPolicy } from '../../src/policy/policy.js';
import { s3Fifo } from '../../src/policy/s3-fifo.js';
import { sieve } from '../../src/policy/sieve.js';
import { twoQueue } from '../../src/policy/two-queue.js';
import { arcMisses, clockMisses, misses, sieveMisses } from './demand.js';
import { lfuMisses, lirsMisses, mruMisses, s3FifoMisses, twoQueueMisses } from './described.js';

const TEXTBOOK = [7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1];
const BELADY = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5];

/** Misses that independent simulators agree on: by name, trace and frames. */
const COUNTS: readonly (readonly [string, () => PagingPolicy, readonly number[], number, number])[] = [
  ['fifo', fifo, TEXTBOOK, 3, 15],
  ['lru', lru, TEXTBOOK, 3, 12],
  ['clock', clock, TEXTBOOK, 3, 11],
  ['clock', clock, TEXTBOOK, 4, 8],
  ['sieve', sieve, TEXTBOOK, 2, 17],
  ['sieve', sieve, TEXTBOOK, 3, 11],
  ['sieve', sieve, TEXTBOOK, 4, 8],
  ['arc', arc, TEXTBOOK, 2, 15],
  ['arc', arc, TEXTBOOK, 3, 13],
  ['arc', arc, TEXTBOOK, 4, 9],
  ['fifo', fifo, BELADY, 3, 9],
  ['fifo', fifo, BELADY, 4, 10],
  ['lru', lru, BELADY, 3, 10],
  ['clock', clock, BELADY, 3, 10],
  ['clock', clock, BELADY, 4, 8],
  ['sieve', sieve, BELADY, 3, 10],
  ['sieve', sieve, BELADY, 4, 8],
  ['arc', arc, BELADY, 3, 10],
  ['arc', arc, BELADY, 4, 7],
  ['mru', mru, TEXTBOOK, 2, 18],
  ['mru', mru, TEXTBOOK, 3, 16],
  ['mru', mru, TEXTBOOK, 4, 12],
  ['mru', mru, BELADY, 3, 7],
  ['lfu', lfu, TEXTBOOK, 2, 15],
  ['lfu', lfu, TEXTBOOK, 3, 11],
  ['lfu', lfu, TEXTBOOK, 4, 9],
  ['lfu', lfu, BELADY, 4, 8],
];

describe('on the textbooks’ traces', () => {
  it.each(COUNTS)('%s misses as often as published (%#)', (_, make, trace, frames, count) => {
    expect(misses(make(), frames, trace)).toHaveLength(count);
  });

  it.each([fifo, lru, clock, sieve, arc])('%o misses always on a loop one page too long', (make) => {
    const loop = Array.from({ length: 500 }, (_, n) => n % 11);
    expect(misses(make(), 10, loop)).toHaveLength(500);
    expect(misses(make(), 11, loop)).toHaveLength(11);
  });
});

/** Runs with a drift: some pages are hot for a while, and scans pass through. */
const trace: fc.Arbitrary<PageId[]> = fc
  .array(
    fc.oneof(
      fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 30 }),
      fc.array(fc.integer({ min: 5, max: 24 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 30 }).map((from) => Array.from({ length: 12 }, (_, n) => from + n)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.flat());

describe('on any trace of unit pages', () => {
  it.each([
    ['clock', clock, clockMisses],
    ['sieve', sieve, sieveMisses],
    ['arc', arc, arcMisses],
    ['mru', mru, mruMisses],
    ['lfu', lfu, lfuMisses],
    ['2q', twoQueue, twoQueueMisses],
    ['s3-fifo', s3Fifo, s3FifoMisses],
  ] as const)('%s misses the pages that its description misses', (_, make, described) => {
    fc.assert(
      fc.property(trace, fc.integer({ min: 1, max: 12 }), (pages, frames) => {
        expect(misses(make(), frames, pages)).toEqual(described(frames, pages));
      }),
      { numRuns: 300 },
    );
  });

  it('lirs misses the pages that its description misses, from four pages of memory on', () => {
    fc.assert(
      fc.property(trace, fc.integer({ min: 4, max: 14 }), (pages, frames) => {
        expect(misses(lirs(), frames, pages)).toEqual(lirsMisses(frames, pages));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['clock', clock],
    ['sieve', sieve],
    ['arc', arc],
    ['mru', mru],
    ['lfu', lfu],
    ['2q', twoQueue],
    ['s3-fifo', s3Fifo],
    ['lirs', lirs],
  ] as const)('%s goes on from a snapshot as if it had run through', (_, make) => {
    fc.assert(
      fc.property(trace, trace, fc.integer({ min: 1, max: 12 }), (before, after, frames) => {
        const live = make();
        const resumed = make();
        resumed.configure({ capacity: frames, unit: 'pages' });
        misses(live, frames, before);
        expect(resumed.restore(live.snapshot(1_000_000), 1)).toBe(true);
        const fresh = after.map((page) => page + 1_000);
        const next = [live, resumed].map((policy) => victimsOf(policy, fresh));
        expect(next[0]).toEqual(next[1]);
      }),
    );
  });
});

/** What goes, one by one, until nothing is left. */
function victimsOf(policy: PagingPolicy, fresh: readonly PageId[]): PageId[] {
  for (const id of new Set(fresh)) policy.onBirth({ id, kind: 'user', tokens: 1, firstSeq: id, lastSeq: id });
  const gone: PageId[] = [];
  for (;;) {
    const [victim] = policy.victims({ release: 1, isEligible: () => true, step: 0 });
    if (victim === undefined) return gone;
    policy.onResidency(victim, 'evicted', 'reclaim');
    gone.push(victim);
  }
}
