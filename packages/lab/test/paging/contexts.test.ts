import { fifo, lru, type PagingPolicy, POLICIES } from '@pagefault/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectTrace,
  largestSession,
  type PagingReport,
  type PagingTrace,
  type Prefetch,
  SCHEMES,
  sessionsOf,
  simulate,
  simulatePaging,
  type TraceLine,
} from '../../src/index.js';
import { costOf, stepRows, tracedRows } from '../support/bounded.js';
import { collected } from '../support/lines.js';

const page = (id: number, step: number) => ({ type: 'page', id, step, tok: 100, kind: 'user' });
const step = (i: number, ...needs: readonly number[]) => ({
  type: 'step',
  i,
  ms: i,
  out: 0,
  needs: needs.map((id) => ({ id, why: 'annotated' })),
});

/** Pages of a hundred tokens, one a step; needs by step; the end of a session before some steps. */
async function pagesOf(
  steps: number,
  needs: Readonly<Record<number, number>>,
  ends: readonly number[],
): Promise<PagingTrace> {
  const header: TraceLine = { type: 'header', v: 1, id: 'made', source: 'made', needKinds: ['annotated'] };
  const lines = Array.from({ length: steps }, (_, i): TraceLine[] => [
    ...(ends.includes(i) ? [{ type: 'boundary', step: i, kind: 'session_end' } as const] : []),
    { type: 'page', id: i, step: i, tok: 100, kind: 'user', ...(i === 3 && { pin: true }) },
    {
      type: 'step',
      i,
      ms: i * 1_000,
      out: 0,
      needs: needs[i] === undefined ? [] : [{ id: needs[i], why: 'annotated' }],
    },
  ]);
  return collectTrace([header, ...lines.flat()]);
}

describe('sessions', () => {
  it('have a context each: it begins empty, and nothing of it is evicted at its end', async () => {
    const trace = await pagesOf(8, {}, [4]);
    const report = simulatePaging(trace, fifo, { budget: 450 });
    expect(report).toMatchObject({ evictions: 0, peakTokens: 400, tokenSteps: 2_000 });
    const one = simulatePaging(trace, fifo, { budget: 450, contexts: 'one' });
    expect(one.evictions).toBeGreaterThan(0);
  });

  it('find what an earlier one had away, and can have it back', async () => {
    const trace = await pagesOf(6, { 5: 0 }, [4]);
    expect(simulatePaging(trace, fifo, { budget: 900, events: true })).toMatchObject({
      faults: 1,
      pageIns: 1,
      peakTokens: 400,
      events: [{ kind: 'fault', step: 5, page: 0 }],
    });
    expect(simulatePaging(trace, fifo, { budget: 900, contexts: 'one' }).faults).toBe(0);
  });

  it('prefetch nothing of an earlier one', async () => {
    const trace = await pagesOf(8, { 7: 0 }, [4]);
    const prefetch = { kind: 'neighbour', pages: 9 } as const;
    expect(simulatePaging(trace, fifo, { budget: 900, prefetch })).toMatchObject({
      pageIns: 1,
      prefetched: 0,
    });
  });

  it('have a policy each, when they are given what makes one; else it hears that all pages are erased', async () => {
    const trace = await pagesOf(8, {}, [3, 6]);
    const made: PagingPolicy[] = [];
    simulatePaging(trace, () => (made[made.length] = lru()), { budget: 900 });
    expect(made).toHaveLength(3);
    const erased: number[] = [];
    const single: PagingPolicy = {
      ...lru(),
      onResidency: (id, _now, cause) => void erased.push(cause === 'erasure' ? id : -1),
    };
    simulatePaging(trace, single, { budget: 900 });
    expect(erased).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a session', () => {
  it('does not begin with what came after the last call of the one before it, unless they share a context', async () => {
    const trace = await collected(
      page(0, 0),
      step(0),
      page(1, 1),
      { type: 'boundary', step: 1, kind: 'session_end' },
      page(2, 1),
      step(1),
    );
    expect(simulatePaging(trace, fifo, { budget: 900 })).toMatchObject({ peakTokens: 100, tokenSteps: 200 });
    expect(simulatePaging(trace, fifo, { budget: 900, contexts: 'one' })).toMatchObject({ peakTokens: 300 });
    expect(sessionsOf(trace).map(({ tokens }) => tokens.length)).toEqual([1, 1]);
    expect(largestSession(trace)).toBe(100);
  });

  it('is charged with nothing that was prefetched for an earlier one and not used', async () => {
    const born = (ids: readonly number[], later: number) =>
      ids.flatMap((id) => [page(id, id + later), step(id + later)]);
    const first = [...born([0, 1, 2, 3, 4], 0), step(5, 0)];
    const second = [...born([5, 6, 7, 8, 9], 1), step(11, 5)];
    const trace = await collected(...first, { type: 'boundary', step: 6, kind: 'session_end' }, ...second);
    const setup = { budget: 500, targetShare: 0.4, flushShare: 0.8 } as const;
    const prefetch = { kind: 'neighbour', pages: 1 } as const;
    const [alone, report] = [sessionsOf(trace)[1] ?? trace, trace].map((one) =>
      simulatePaging(one, fifo, { ...setup, prefetch }),
    );
    expect(alone).toMatchObject({ faults: 1, prefetched: 1, pollution: 0 });
    expect(report).toMatchObject({ faults: 2, prefetched: 2, pollution: 0 });
  });

  it('costs what the same session cost before it', async () => {
    const rows = Array.from({ length: 81 }, (_, at) => ({
      sizes: [40 + ((at * 7) % 50), 90],
      backs: at % 5 === 4 ? [at % 8, 7] : [],
      isPinned: false,
      wait: at === 0 ? 4e6 : 1,
      isEnd: at === 0,
      late: 0,
    }));
    const trace = await tracedRows([...rows, ...rows]);
    for (const make of Object.values(POLICIES)) {
      const options = { budget: 2_000, cache: { timeToLive: 300_000, least: 0, granule: 1 }, eachStep: true };
      const { made, policy } = simulatePaging(trace, () => make(), options);
      const [half, all] = [made[80]?.billed, made[161]?.billed];
      expect([all?.read, all?.written], policy).toEqual([2 * (half?.read ?? 0), 2 * (half?.written ?? 0)]);
    }
  });

  it('costs the same wherever in a trace it stands, under each policy and scheme', async () => {
    const contestants = [...Object.values(POLICIES).map((make) => () => make()), ...SCHEMES];
    await fc.assert(
      fc.asyncProperty(
        sessionRows,
        fc.integer({ min: 40, max: 900 }),
        prefetches,
        async (rows, budget, prefetch) => {
          const trace = await tracedRows(rows);
          const sessions = sessionsOf(trace);
          for (const contestant of contestants) {
            const together = simulate(trace, contestant, { budget, prefetch });
            const each = sessions.map((session) => simulate(session, contestant, { budget, prefetch }));
            expect(counted([together]), together.policy).toEqual(counted(each));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is paged by a policy that is told of its pages and steps from 0 on', async () => {
    const trace = await pagesOf(9, { 8: 4 }, [4]);
    const told: unknown[] = [];
    const spy = (): PagingPolicy => ({
      ...fifo(),
      onBirth: ({ id, firstSeq, lastSeq }) => void told.push([id, firstSeq, lastSeq]),
      onNeed: (needs, step) => void told.push([needs[0]?.id, 'needed', step]),
      onResidency: (id, now) => void told.push([id, now]),
      victims: ({ isEligible, step, tokensOf }) => {
        told.push(['asked', step, [0, 1, 2, 3, 4, 5].map((id) => isEligible(id)), tokensOf?.(0)]);
        return [8, 0, 1];
      },
    });
    const report = simulatePaging(trace, spy, { budget: 400, events: true });
    expect(told.slice(4)).toEqual([
      ...[0, 1, 2, 3].map((id) => [id, id, id]),
      [4, 4, 4],
      [0, 'needed', 4],
      ['asked', 4, [false, true, true, true, false, false], 0],
      [1, 'evicted'],
      [2, 'evicted'],
      [3, 'evicted'],
    ]);
    expect(report.events.map(({ page }) => page)).toEqual([5, 6, 7]);
  });

  it.each([
    ['undefined', undefined],
    ['9', [9]],
    ['-1', [-1]],
  ])('refuses as in the first what is no list of its pages: %s', async (shown, victims) => {
    const trace = await pagesOf(9, {}, [4]);
    const wrong = (): PagingPolicy => ({ ...fifo(), victims: () => victims as number[] });
    expect(() => simulatePaging(trace, wrong, { budget: 400 })).toThrow(
      new RegExp(`victims\\(\\) (gave|named) ${shown} at step 4,`),
    );
  });
});

/** Sessions that need only their own pages, hours apart. */
const sessionRows = stepRows(fc.integer({ min: 0, max: 80 }), {
  least: 2,
  steps: 40,
  births: 3,
  needs: 3,
}).map((rows) => {
  let born = 0;
  return rows.map((row) => {
    const late = Math.min(row.late, row.sizes.length);
    born = row.isEnd ? row.sizes.length - late : born + row.sizes.length;
    return { ...row, wait: row.isEnd ? 4e6 : row.wait, backs: row.backs.filter((back) => back < born) };
  });
});

const prefetches = fc.constantFrom<Prefetch>({ kind: 'none' }, { kind: 'neighbour', pages: 3 });
const COUNTED = [
  'faults',
  'prefetchUsed',
  'pollution',
  'evictions',
  'refaults',
  'reclaims',
  'overflows',
  'tokenSteps',
] as const;

function counted(reports: readonly PagingReport[]): readonly number[] {
  const prices = { read: 0.05, written: 1.25, output: 5 };
  const sum = (of: (report: PagingReport) => number) => reports.reduce((all, one) => all + of(one), 0);
  return [...COUNTED.map((name) => sum((one) => one[name])), Math.round(sum((one) => costOf(one, prices)))];
}
