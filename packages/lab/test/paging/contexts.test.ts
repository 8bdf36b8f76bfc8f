import { fifo, lru, type PagingPolicy } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import { collectTrace, type PagingTrace, simulatePaging, type TraceLine } from '../../src/index.js';

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
