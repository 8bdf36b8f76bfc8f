import { fifo, lru, POLICIES } from '@pagefault/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { billed, faultRate, type PagingTrace, pagingSetup, simulatePaging, whole } from '../../src/index.js';
import { collected } from '../support/lines.js';

const page = (id: number, step: number, more = {}) => ({
  type: 'page',
  id,
  step,
  tok: 100,
  kind: 'user',
  ...more,
});
const step = (i: number, needs: readonly number[] = [], ms = i * 1_000) => {
  return { type: 'step', i, ms, out: 10, needs: needs.map((id) => ({ id, why: 'annotated' })) };
};
/** A page of 100 tokens a step. */
const oneAStep = (
  steps: number,
  needs: Readonly<Record<number, readonly number[]>> = {},
  ms?: (i: number) => number,
) => collected(...Array.from({ length: steps }, (_, i) => [page(i, i), step(i, needs[i], ms?.(i))]).flat());

describe('a simulation', () => {
  it('brings pages in free, evicts to the target when a request would be over the budget, and reads in what is needed', async () => {
    const trace = await oneAStep(8, { 2: [0], 7: [0, 6] });
    const report = simulatePaging(trace, fifo(), { budget: 450, targetShare: 0.5, events: true });
    // 500 tokens at step 4, so 0, 1 and 2 go; 500 again at step 7 with page 0 read in, so 3, 4 and 5 go.
    expect(report.events).toEqual([
      ...[0, 1, 2].map((id) => ({ kind: 'eviction', step: 4, page: id, tokens: 100 })),
      { kind: 'fault', step: 7, page: 0, since: 4, prompt: 500, outcome: 'read in' },
      ...[3, 4, 5].map((id) => ({ kind: 'eviction', step: 7, page: id, tokens: 100 })),
    ]);
    expect(report).toMatchObject({ needs: 3, faults: 1, stepsWithNeed: 2, stepsWithFault: 1, pageIns: 1 });
    expect(report).toMatchObject({ reclaims: 2, evictions: 6, evictedPages: 6, deadPages: 5, refaults: 0 });
    expect(faultRate(report)).toBeCloseTo(1 / 3, 10);
  });

  it('never lets go what is pinned, and what the step brought or needs', async () => {
    const trace = await collected(
      page(0, 0, { pin: true }),
      page(1, 0),
      step(0),
      page(2, 1),
      page(3, 1),
      step(1, [1]),
    );
    const report = simulatePaging(trace, fifo(), { budget: 250, targetShare: 0.2, events: true });
    expect(report).toMatchObject({ evictions: 0, overflows: 1, peakTokens: 400 });
  });

  it('counts a page that is read in again and again as thrashing', async () => {
    const needs = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [n + 3, [n % 2]]));
    const report = simulatePaging(await oneAStep(9, needs), fifo(), { budget: 250, targetShare: 0.4 });
    expect(report.faults).toBe(report.pageIns);
    expect(report.refaults).toBeGreaterThan(2);
  });

  it('leaves tombstones in the place of pages, of which a need is a soft fault', async () => {
    const trace = await oneAStep(6, { 5: [0] });
    const remains = { kind: 'tombstone', tokens: 20 } as const;
    const report = simulatePaging(trace, fifo(), { budget: 450, remains, events: true });
    expect(report.events.filter(({ kind }) => kind === 'eviction').map((event) => event.page)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(report).toMatchObject({ faults: 1, softFaults: 1, silentFaults: 0 });
    // Four tombstones and a page at step 4; one more page and the one that is read in at step 5.
    expect(report.peakTokens).toBe(400);
    expect(report.tokenSteps).toBe(100 + 200 + 300 + 400 + 180 + 380);
  });

  it('bills a summary by a call of its own, and the prefix that it rewrites', async () => {
    const trace = await oneAStep(6, { 5: [0] });
    const remains = { kind: 'summary', ratio: 0.1, most: 50 } as const;
    const report = simulatePaging(trace, fifo(), { budget: 450, remains, retention: 1 });
    expect(whole(report.summaries)).toEqual({ read: 0, written: 0, plain: 300, output: 30 });
    expect(report).toMatchObject({ needs: 1, faults: 0, summaryHits: 1 });
    expect(simulatePaging(trace, fifo(), { budget: 450, remains }).faults).toBe(1);
  });

  it('makes use of a cold cache: then a reclaim costs no prefix', async () => {
    const trace = await oneAStep(5, {}, (i) => (i < 3 ? i : 1_000_000 + i));
    const warm = simulatePaging(trace, fifo(), { budget: 600 });
    const cold = simulatePaging(trace, fifo(), { budget: 600, coldShare: 0.6 });
    expect([warm.evictions, cold.evictions]).toEqual([0, 1]);
  });

  it('draws recall and notice from a seed', async () => {
    const needs = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n + 10, [n]]));
    const trace = await oneAStep(40, needs);
    const run = (more: object) => simulatePaging(trace, fifo(), { budget: 450, ...more });
    const half = run({ recall: 0.5 });
    expect(half.lostFaults).toBeGreaterThan(5);
    expect(half.faults).toBe(half.pageIns + half.lostFaults);
    expect(run({ recall: 0.5 })).toEqual(half);
    expect(run({ recall: 0.5, seed: 2 }).lostFaults).not.toBe(half.lostFaults);
    const deaf = run({ notice: 0 });
    expect(deaf).toMatchObject({ pageIns: 0, silentFaults: deaf.faults });
    expect(whole(deaf.faultCalls).read).toBe(0);
  });

  it('counts requests above a threshold apart', async () => {
    const report = simulatePaging(await oneAStep(4), fifo(), { budget: 1_000, longAbove: 250 });
    expect(report.agent.short.written).toBe(100 + 200);
    expect(report.agent.long.written).toBe(300 + 400);
  });

  it.each([
    [{ budget: 0 }, /budget is 0/],
    [{ budget: 10, targetShare: 1.5 }, /targetShare is 1\.5; it must be a number from 0 to 1/],
    [{ budget: 10, flushShare: 0.4 }, /targetShare is 0\.5; it must be no more than flushShare, 0\.4/],
    [{ budget: 10, recall: Number.NaN }, /recall is NaN/],
  ])('refuses a setup that makes no sense: %j', (setup, message) => {
    expect(() => pagingSetup(setup)).toThrow(message);
  });
});

describe('on any trace', () => {
  const traces = fc
    .array(
      fc.record({
        size: fc.integer({ min: 1, max: 80 }),
        back: fc.option(fc.nat({ max: 30 })),
        wait: fc.constantFrom(1, 400_000),
      }),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    .map((rows) =>
      rows.flatMap(({ size, back, wait: _ }, i) => [
        page(i, i, { tok: size, kind: i % 3 === 0 ? 'user' : 'tool_result' }),
        step(i, back === null ? [] : [Math.max(0, i - back)]),
      ]),
    );
  const consistent = async (trace: PagingTrace, name: string, budget: number, remains: object) => {
    const make = POLICIES[name as keyof typeof POLICIES];
    const options = { budget, events: true, ...remains };
    const report = simulatePaging(trace, make(), options);
    const tally = whole(report.agent);
    expect(tally.read + tally.written, name).toBe(report.tokenSteps);
    expect(report.faults, name).toBe(report.events.filter(({ kind }) => kind === 'fault').length);
    expect(report.evictions - report.pageIns, name).toBeLessThanOrEqual(trace.tokens.length);
    if (report.overflows === 0) expect(report.peakTokens, name).toBeLessThanOrEqual(budget);
    expect(simulatePaging(trace, make(), options), name).toEqual(report);
    expect(simulatePaging(trace, make(), { ...options, budget: 1e6 }), name).toMatchObject({
      faults: 0,
      evictions: 0,
    });
  };

  it('what is sent is read or written, no request is over the budget, and the same comes out again', async () => {
    await fc.assert(
      fc.asyncProperty(traces, fc.integer({ min: 100, max: 900 }), async (lines, budget) => {
        const trace = await collected(...lines);
        for (const name of Object.keys(POLICIES)) {
          await consistent(trace, name, budget, {});
          await consistent(trace, name, budget, { remains: { kind: 'tombstone', tokens: 5 } });
          await consistent(trace, name, budget, {
            remains: { kind: 'summary', ratio: 0.1, most: 40 },
            retention: 0.5,
          });
        }
      }),
      { numRuns: 25 },
    );
  });

  it('LRU faults no more with a larger budget when pages are alike and go one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 20 }), { minLength: 10, maxLength: 60 }), async (backs) => {
        const lines = backs.flatMap((back, i) => [
          page(i, i, { tok: 1 }),
          step(i, back > i ? [] : [i - back]),
        ]);
        const trace = await collected(...lines);
        const faults = [5, 10, 20].map(
          (budget) => simulatePaging(trace, lru(), { budget, targetShare: 1 }).faults,
        );
        expect(faults).toEqual(faults.toSorted((a, b) => b - a));
      }),
    );
  });

  it('nothing is billed but what the report says', async () => {
    const trace = await oneAStep(12, { 9: [0], 11: [1] });
    const report = simulatePaging(trace, fifo(), { budget: 450 });
    const sum = whole(billed(report));
    expect(sum.output).toBe(12 * 10 + report.pageIns * 100);
    expect(sum.read + sum.written).toBe(report.tokenSteps + whole(report.faultCalls).read);
  });
});
