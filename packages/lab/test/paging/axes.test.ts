import { fifo, POLICIES } from '@pagefault/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Placement,
  PLACEMENTS,
  PREFETCHES,
  prefetchCoverage,
  prefetchPrecision,
  simulatePaging,
} from '../../src/index.js';
import { Residents } from '../../src/paging/residents.js';
import { collected } from '../support/lines.js';

const page = (id: number, step: number, more = {}) => {
  return { type: 'page', id, step, tok: 100, kind: 'user', ...more };
};
const step = (i: number, needs: readonly number[] = [], more = {}) => {
  return {
    type: 'step',
    i,
    ms: i * 1_000,
    out: 10,
    needs: needs.map((id) => ({ id, why: 'annotated' })),
    ...more,
  };
};
type Needs = Readonly<Record<number, readonly number[]>>;
/** A page of 100 tokens a step. */
const oneAStep = (steps: number, needs: Needs = {}, more: (i: number) => object = () => ({})) =>
  collected(...Array.from({ length: steps }, (_, i) => [page(i, i, more(i)), step(i, needs[i])]).flat());

describe('a page that is read in', () => {
  const places = async (placement: Placement, tombstone = false) => {
    const trace = await oneAStep(6, {}, (i) => (i === 0 ? { pin: true } : {}));
    const remains = tombstone ? ({ kind: 'tombstone', tokens: 5 } as const) : ({ kind: 'nothing' } as const);
    const residents = new Residents(trace, remains);
    for (const id of [0, 1, 2, 3, 4, 5]) residents.add(id);
    residents.leave(new Set([1, 3]));
    residents.prompt.unchanged = residents.prompt.ids.length;
    residents.bringBack(3, placement);
    residents.bringBack(1, placement);
    return { ids: [...residents.prompt.ids], unchanged: residents.prompt.unchanged };
  };

  it('stands at the tail, where it stood, or behind the pinned pages; what is before it stays as it was', async () => {
    expect(await places('tail')).toEqual({ ids: [0, 2, 4, 5, 3, 1], unchanged: 4 });
    expect(await places('original')).toEqual({ ids: [0, 1, 2, 3, 4, 5], unchanged: 1 });
    expect(await places('front')).toEqual({ ids: [0, 3, 1, 2, 4, 5], unchanged: 1 });
  });

  it('takes the place of its tombstone only where it stood', async () => {
    expect((await places('tail', true)).ids).toEqual([0, -1, 2, -2, 4, 5, 3, 1]);
    expect((await places('original', true)).ids).toEqual([0, 1, 2, 3, 4, 5]);
    expect((await places('front', true)).ids).toEqual([0, -1, 3, 1, 2, -2, 4, 5]);
  });

  it('costs a new prefix anywhere but at the tail', async () => {
    const cache = { timeToLive: 300_000, least: 0, granule: 1 };
    const trace = await oneAStep(8, { 7: [0] });
    const written = (placement: Placement) =>
      simulatePaging(trace, fifo(), { budget: 550, placement, cache }).agent.short.written;
    // Pages 4 and 5 are left after the reclaim at step 5; 6 comes, then 7, and page 0 is read in.
    expect(written('tail')).toBe(500 + 200 + 100 + 200);
    // All is behind page 0 then, which by itself was a prefix once.
    for (const placement of ['original', 'front'] as const)
      expect(written(placement)).toBe(500 + 200 + 100 + 400);
  });
});

describe('prefetch', () => {
  const run = async (
    kind: (typeof PREFETCHES)[number],
    needs: Needs,
    { pages = 2, budget = 850, steps = 13, more = (_: number): object => ({}) } = {},
  ) => {
    const trace = await oneAStep(steps, needs, more);
    const prefetch = kind === 'none' ? { kind } : { kind, pages };
    return simulatePaging(trace, fifo(), { budget, prefetch, events: true });
  };

  // At step 8 there are 900 tokens: pages 0 to 4 go, and 400 are left.
  it('reads in what was born beside a page that is missed', async () => {
    const report = await run('neighbour', { 9: [2], 10: [1] });
    expect(report).toMatchObject({ faults: 1, prefetched: 2, prefetchUsed: 1, prefetchedTokens: 200 });
    expect(prefetchPrecision(report)).toBe(0.5);
    expect(prefetchCoverage(report)).toBe(0.5);
    expect((await run('none', { 9: [2], 10: [1] })).faults).toBe(2);
  });

  it('reads in what is of the same session or thing, the nearest first, and nothing where none is told', async () => {
    const more = (i: number) => ({ session: `s${i % 3}`, obj: `o${i % 4}` });
    expect(await run('session', { 9: [0], 10: [3] }, { pages: 1, more })).toMatchObject({ prefetchUsed: 1 });
    expect(await run('object', { 9: [0], 10: [4] }, { pages: 1, more })).toMatchObject({ prefetchUsed: 1 });
    expect(await run('object', { 9: [0], 10: [4] })).toMatchObject({ prefetched: 0, faults: 2 });
  });

  it('reads in the first of a rank list before they are missed', async () => {
    const rank = (i: number) => (i === 10 ? { rank: [8, 3, 1] } : {});
    const lines = Array.from({ length: 13 }, (_, i) => [
      page(i, i),
      step(i, i === 10 ? [3, 1] : [], rank(i)),
    ]);
    const trace = await collected(...lines.flat());
    const options = { budget: 850, prefetch: { kind: 'ranked', pages: 2 } } as const;
    // Page 8 is there already, and page 1 is the third.
    expect(simulatePaging(trace, fifo(), options)).toMatchObject({
      prefetched: 1,
      prefetchUsed: 1,
      faults: 1,
    });
  });

  it('faults nowhere when it knows what will be needed and there is room', async () => {
    const report = await run('oracle', { 9: [2], 10: [1] });
    expect(report).toMatchObject({ faults: 0, prefetched: 2, prefetchUsed: 2, pageIns: 0 });
    expect(report.faultCalls.short.read).toBe(0);
    expect([prefetchPrecision(report), prefetchCoverage(report)]).toEqual([1, 1]);
    // Pages that were needed again are not dead, though nobody missed them.
    expect(report.evictedPages - report.deadPages).toBe(2);
  });

  it('never brings about a reclaim of its step', async () => {
    // 500 tokens at step 9 with the page that was missed, and room for two more; then for none.
    const loose = await run('neighbour', { 9: [2] }, { pages: 4, budget: 850, steps: 10 });
    expect(loose).toMatchObject({ prefetched: 2, reclaims: 1, overflows: 0 });
    const tight = await run('neighbour', { 11: [2] }, { pages: 4, budget: 850, steps: 12 });
    expect(tight).toMatchObject({ prefetched: 0, reclaims: 1 });
  });

  it('counts faults on what would have stayed without what was prefetched for nothing', async () => {
    // Two neighbours are in the request from step 9 on; the next reclaim is due two steps earlier for them.
    const needs = { 9: [2], 11: [7], 12: [7] };
    const polluted = await run('neighbour', needs);
    const clean = await run('none', needs);
    expect(clean.faults).toBe(1);
    expect(polluted).toMatchObject({ faults: 2, pollution: 1, prefetchUsed: 0 });
  });
});

describe('on any trace', () => {
  const rows = fc.array(
    fc.record({
      size: fc.integer({ min: 1, max: 80 }),
      back: fc.option(fc.nat({ max: 30 })),
      session: fc.option(fc.constantFrom('a', 'b')),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const traceOf = (given: readonly { size: number; back: number | null; session: string | null }[]) =>
    collected(
      ...given.flatMap(({ size, back, session }, i) => [
        page(i, i, { tok: size, ...(session !== null && { session, obj: session }) }),
        step(i, back === null ? [] : [Math.max(0, i - back)], {
          rank: [Math.max(0, i - 9), Math.max(0, i - 3)],
        }),
      ]),
    );

  it('placement changes what is billed, not what is missed, under policies that do not go by places', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 100, max: 900 }), async (given, budget) => {
        const trace = await traceOf(given);
        const [tail, ...others] = PLACEMENTS.map((placement) =>
          simulatePaging(trace, POLICIES.lru(), { budget, placement, events: true }),
        );
        for (const other of others) {
          expect(other.events).toEqual(tail?.events);
          expect(other.tokenSteps).toBe(tail?.tokenSteps);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('prefetch overflows no request that would not overflow without, and its counts add up', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 100, max: 900 }),
        fc.constantFrom(...PREFETCHES),
        fc.constantFrom(...PLACEMENTS),
        async (given, budget, kind, placement) => {
          const trace = await traceOf(given);
          const prefetch = kind === 'none' ? { kind } : { kind, pages: 3 };
          for (const make of [POLICIES.fifo, POLICIES.arc, POLICIES['batch-prefix']]) {
            const report = simulatePaging(trace, make(), { budget, prefetch, placement });
            expect(report.overflows).toBe(simulatePaging(trace, make(), { budget }).overflows);
            expect(report.prefetchUsed).toBeLessThanOrEqual(report.prefetched);
            expect(report.pollution).toBeLessThanOrEqual(report.faults);
            if (kind === 'none') expect(report.prefetched).toBe(0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
