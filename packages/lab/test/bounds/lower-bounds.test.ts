import { POLICIES, type PagingPolicy } from '@pagefault/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  auditRows,
  billed,
  boundSoFar,
  contextBounds,
  dollars,
  farthestNeed,
  findPricesInBook,
  inputEquivalents,
  leastFaultCost,
  leastRates,
  leastRequests,
  lowerBounds,
  type PagingSetup,
  type PagingTrace,
  pagingSetup,
  ratiosOf,
  sessionFigures,
  simulatePaging,
  tokensOf,
} from '../../src/index.js';
import { costOf, everyReport, ratios, setups, stepRows, tracedRows } from '../support/bounded.js';
import { traceOf } from '../support/imports.js';
import { collected } from '../support/lines.js';
import { traceFile } from '../support/traces.js';

const CLAUDE = { read: 0.05, written: 1.25, output: 5 };
const WARM = { timeToLive: 300_000, least: 0, granule: 1 };
const cheapest = (trace: PagingTrace, setup: PagingSetup) =>
  Math.min(...(everyReport(trace, setup, 1_000) ?? []).map((report) => costOf(report, CLAUDE)));
/** What sums of fractions are off by. */
const nearly = (cost: number) => cost * (1 + 1e-9) + 1e-9;
const page = (id: number, step: number, tok: number) => ({ type: 'page', id, step, tok, kind: 'user' });
const step = (i: number, needs: readonly number[] = []) => {
  return { type: 'step', i, ms: i * 1_000, out: 10, needs: needs.map((id) => ({ id, why: 'annotated' })) };
};

describe('on any small trace, with any setup', () => {
  const small = stepRows(fc.integer({ min: 0, max: 30 }), { least: 3, steps: 8, births: 2, needs: 2 });

  it('no row of evictions faults or costs less than the bounds, of all that there are', async () => {
    const found = { faulting: 0, met: 0 };
    await fc.assert(
      fc.asyncProperty(
        small,
        fc.integer({ min: 15, max: 60 }),
        setups,
        ratios,
        async (given, budget, axes, prices) => {
          const trace = await tracedRows(given);
          const setup = pagingSetup({ ...axes, budget });
          const reports = everyReport(trace, setup, 1_500);
          fc.pre(reports !== undefined && reports.length > 1);
          const bounds = lowerBounds(trace, setup, prices);
          const faults = Math.min(...(reports ?? []).map((report) => report.faults));
          const cost = Math.min(...(reports ?? []).map((report) => costOf(report, prices)));
          expect(bounds.faults).toBeLessThanOrEqual(faults);
          expect(bounds.cost).toBeLessThanOrEqual(nearly(cost));
          if (faults > 0) found.faulting++;
          if (faults > 0 && bounds.faults === faults) found.met++;
        },
      ),
      { numRuns: 150 },
    );
    // The bound is of use: mostly it is what trying all comes to.
    expect(found.met / found.faulting).toBeGreaterThan(0.3);
  });

  it('with pages of one size that leave one by one, what no row of evictions faults less than is found', async () => {
    const alike = stepRows(fc.constant(10), { least: 5, steps: 8, births: 1, needs: 2 });
    await fc.assert(
      fc.asyncProperty(alike, fc.integer({ min: 2, max: 4 }), async (given, frames) => {
        const trace = await tracedRows(given);
        const setup = pagingSetup({ budget: frames * 10, targetShare: 1, contexts: 'one' });
        const reports = everyReport(trace, setup, 3_000);
        fc.pre(reports !== undefined);
        const faults = Math.min(...(reports ?? []).map((report) => report.faults));
        expect(lowerBounds(trace, setup, CLAUDE).faults).toBe(faults);
      }),
      { numRuns: 200 },
    );
  });
});

describe('on any trace, with any setup', () => {
  const rows = stepRows(fc.integer({ min: 0, max: 80 }), { least: 1, steps: 60, births: 3, needs: 3 });

  it('no policy faults or costs less than the bounds, nor than the coarser ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 40, max: 900 }),
        setups,
        ratios,
        async (given, budget, axes, prices) => {
          const trace = await tracedRows(given);
          const setup = { ...axes, budget };
          const bounds = lowerBounds(trace, setup, prices);
          const coarse = [{ visits: 0 }, { visits: 0, pairs: 0 }, { pairs: 0 }].map(
            (most) => lowerBounds(trace, setup, prices, most).cost,
          );
          const policies = [...Object.values(POLICIES).map((make) => make()), farthestNeed(trace)];
          for (const policy of policies) {
            const report = simulatePaging(trace, policy, setup);
            expect(report.faults, policy.id).toBeGreaterThanOrEqual(bounds.faults);
            expect(nearly(costOf(report, prices)), policy.id).toBeGreaterThanOrEqual(bounds.cost);
            expect(nearly(costOf(report, prices)), policy.id).toBeGreaterThanOrEqual(Math.max(...coarse));
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('at any step of any trace, with any setup', () => {
  const rows = stepRows(fc.integer({ min: 0, max: 80 }), { least: 2, steps: 40, births: 3, needs: 3 });

  it('no policy has faulted less, paid less or written less so far, and no request holds less', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 40, max: 900 }),
        setups,
        ratios,
        fc.nat(),
        async (given, budget, axes, prices, some) => {
          const trace = await tracedRows(given);
          const setup = { ...axes, budget };
          const step = some % trace.times.length;
          const bound = boundSoFar(trace, setup, prices, step);
          const least = leastRequests(trace, setup);
          for (const make of [...Object.values(POLICIES), () => farthestNeed(trace)]) {
            const { made, policy } = simulatePaging(trace, make(), { ...setup, eachStep: true });
            const record = made[step];
            expect(record?.faults, policy).toBeGreaterThanOrEqual(bound.faults);
            const paid = record ? inputEquivalents(record.billed, prices) : 0;
            expect(nearly(paid), policy).toBeGreaterThanOrEqual(bound.cost);
            for (const { tokens, billed: so, step: at } of made) {
              expect(tokens, `${policy} at ${at}`).toBeGreaterThanOrEqual(least.tokens[at] ?? 0);
              expect(so.written, `${policy} at ${at}`).toBeGreaterThanOrEqual(least.written[at] ?? 0);
            }
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('no policy pays less for its faults, nor for those of a session', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 40, max: 900 }),
        setups,
        ratios,
        async (given, budget, axes, prices) => {
          const trace = await tracedRows(given);
          const setup = pagingSetup({ ...axes, budget });
          const least = leastFaultCost(trace, setup, prices);
          const sessions = contextBounds(trace, setup, prices);
          for (const make of Object.values(POLICIES)) {
            const options = { ...setup, events: true, eachStep: true };
            const row = { policy: 'any', budget, report: simulatePaging(trace, make(), options) };
            const paid = auditRows(row, { ...setup, trace }, prices, false).reduce(
              (sum, { cost }) => sum + Number(cost),
              0,
            );
            expect(nearly(paid)).toBeGreaterThanOrEqual(least);
            if (setup.contexts === 'one') continue;
            for (const [at, { faults, cost }] of sessionFigures(trace, row, prices).entries()) {
              expect(faults).toBeGreaterThanOrEqual(sessions[at]?.faults ?? 0);
              expect(nearly(cost) + 1e-6).toBeGreaterThanOrEqual(sessions[at]?.cost ?? 0);
            }
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the bounds', () => {
  it('are what it costs when nothing need leave', async () => {
    const trace = await collected(page(0, 0, 2_000), step(0), page(1, 1, 10), step(1, [0]), step(2));
    const { cost, faults } = lowerBounds(trace, { budget: 3_000 }, CLAUDE);
    expect(faults).toBe(0);
    expect(cost).toBeCloseTo(2_000 * 1.25 + (2_000 * 0.05 + 10 * 1.25) + 2_010 * 0.05 + 3 * 10 * 5, 6);
  });

  it('count a fault when what is needed cannot have been kept beside what was born', async () => {
    const pages = [0, 1, 2, 3].flatMap((id) => [page(id, id, 40), step(id)]);
    const trace = await collected(...pages, step(4, [0]), step(5, [1]), step(6, [2]), step(7, [3]));
    const bounds = [100, 80, 40].map(
      (budget) => lowerBounds(trace, { budget, targetShare: 1 }, CLAUDE).faults,
    );
    expect(bounds).toEqual([2, 2, 4]);
  });

  it('know that a reclaim goes down to the target: what is kept over it fits in there', async () => {
    const pages = Array.from({ length: 12 }, (_, id) => [page(id, id, 10), step(id)]).flat();
    const trace = await collected(...pages, step(12, [0, 1, 2, 3, 4, 5, 6]));
    const bounds = [1, 0.5, 0.2].map(
      (targetShare) => lowerBounds(trace, { budget: 100, targetShare }, CLAUDE).faults,
    );
    expect(bounds).toEqual([0, 3, 6]);
  });

  it('allow for a request that was sent before, so that the page that is read in is in the cache', async () => {
    const pinned = { ...page(0, 0, 10), pin: true };
    const trace = await collected(pinned, page(1, 0, 10), step(0), page(2, 1, 10), step(1), step(2, [1]));
    const setup = pagingSetup({ budget: 20, targetShare: 1, callPerFault: false, cache: WARM });
    const costs = (everyReport(trace, setup, 100) ?? []).map((report) => costOf(report, CLAUDE));
    const { cost } = lowerBounds(trace, setup, CLAUDE);
    expect(cost).toBeCloseTo(Math.min(...costs), 6);
    expect(cost).toBeCloseTo(20 * 1.25 + (10 * 0.05 + 10 * 1.25) + 20 * 0.05 + 3 * 10 * 5, 6);
  });

  it('are what it costs to keep one page that is needed while others come and go', async () => {
    const pages = [0, 1, 2, 3].flatMap((id) => [page(id, id, 10), step(id)]);
    const trace = await collected(...pages, page(4, 4, 10), step(4, [0]));
    const setup = pagingSetup({ budget: 20, targetShare: 1, cache: WARM });
    expect(lowerBounds(trace, setup, CLAUDE).cost).toBeCloseTo(cheapest(trace, setup), 6);
  });

  it('count no keeping of what was needed and not found', async () => {
    const pages = [0, 1, 2].flatMap((id) => [page(id, id, id === 0 ? 20 : 10), step(id)]);
    const later = [4, 5, 6, 7, 8].map((at) => step(at));
    const trace = await collected(...pages, page(3, 3, 30), step(3, [0]), ...later, step(9, [0]));
    const setup = pagingSetup({ budget: 30, targetShare: 1, callPerFault: false, recall: 0, cache: WARM });
    expect(lowerBounds(trace, setup, CLAUDE).cost).toBeLessThanOrEqual(cheapest(trace, setup));
  });

  it('know that what was born may be masked, so that no reclaim need come', async () => {
    const pages = Array.from({ length: 12 }, (_, id) => [page(id, id, 10), step(id)]).flat();
    const trace = await collected(...pages, step(12, [0, 1, 2, 3, 4, 5, 6]));
    const masking = { above: 0, tokens: 1 };
    const maskLater = () => {
      const { id: _, ...base } = POLICIES.lru();
      const victims: PagingPolicy['victims'] = (ask) => [7, 8, 9, 10].filter((id) => ask.isEligible(id));
      return { ...base, id: 'mask-later', victims };
    };
    expect(simulatePaging(trace, maskLater(), { budget: 100, masking }).faults).toBe(0);
    expect(lowerBounds(trace, { budget: 100, masking }, CLAUDE).faults).toBe(0);
  });

  it('know that a summary stands beside what may not leave, so that the next reclaim may come at once', async () => {
    const trace = await collected(
      page(0, 0, 1),
      step(0),
      page(1, 1, 20),
      ...[1, 2, 3, 4].map((at) => step(at)),
    );
    const remains = { kind: 'summary', ratio: 0.5, most: 10 } as const;
    const setup = pagingSetup({ budget: 20, remains, cache: WARM });
    const plain = { read: 1, written: 1, output: 0 };
    const costs = (everyReport(trace, setup, 100) ?? []).map((report) => costOf(report, plain));
    expect(Math.min(...costs)).toBe(74);
    expect(lowerBounds(trace, setup, plain).cost).toBeLessThanOrEqual(74);
  });

  it('of faults is 0 where a summary may meet needs, for luck could meet them all', async () => {
    const pages = [0, 1, 2].flatMap((id) => [page(id, id, 40), step(id)]);
    const trace = await collected(...pages, step(3, [0]), step(4, [1]));
    const remains = { kind: 'summary', ratio: 0.1, most: 10 } as const;
    expect(lowerBounds(trace, { budget: 50, remains }, CLAUDE).faults).toBe(2);
    expect(lowerBounds(trace, { budget: 50, remains, retention: 0.1 }, CLAUDE).faults).toBe(0);
  });

  it('of money hold for prices in two bands, by the lower of each', async () => {
    const prices = findPricesInBook('claude-haiku-5-5');
    const least = leastRates(prices);
    expect(least).toEqual({ input: 0.1, written: 0.125, cached: 0.01, output: 0.5 });
    const pages = Array.from({ length: 20 }, (_, id) => [page(id, id, 20_000), step(id)]).flat();
    const trace = await collected(...pages, step(20, [0, 3]));
    const setup = { budget: 250_000, longAbove: 100_000 };
    const bound = (lowerBounds(trace, setup, ratiosOf(least)).cost * least.input) / 1e6;
    const paid = dollars(billed(simulatePaging(trace, POLICIES.lru(), setup)), prices);
    expect(bound).toBeGreaterThan(0);
    expect(bound).toBeLessThanOrEqual(paid);
  });

  it('refuse what is no price, and a setup that makes no sense', async () => {
    const trace = await collected(page(0, 0, 10), step(0));
    expect(() => lowerBounds(trace, { budget: 10 }, { ...CLAUDE, read: -1 })).toThrow(/ratio read is -1/);
    expect(() => lowerBounds(trace, { budget: 0 }, CLAUDE)).toThrow(/budget is 0/);
  });

  it.for([
    ['32k', 0.1],
    ['120k', 0.25],
  ] as const)(
    'are near what is done with foresight on GoodAI LTM of %s at a budget of %d of its tokens',
    async ([name, share], { skip }) => {
      const trace = await traceOf(
        'goodai-ltm',
        traceFile(`llm/goodai-ltm/b3-${name}-gpt4o.master_log.jsonl`, skip),
      );
      const setup = { budget: tokensOf(trace, { share }) };
      const bounds = lowerBounds(trace, setup, CLAUDE);
      const foreseen = simulatePaging(trace, farthestNeed(trace), setup);
      const compacted = simulatePaging(trace, POLICIES.compaction(), setup);
      expect(foreseen.faults - bounds.faults).toBeLessThanOrEqual(2);
      expect(costOf(compacted, CLAUDE) / bounds.cost).toBeLessThan(1.5);
    },
  );
});
