import { DEFAULT_LIMITS, fifo, limitsSchema, lru, POLICIES } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import { type Contestant, findScheme, ownOf, runGrid, SCHEMES, simulate, whole } from '../../src/index.js';
import { collected } from '../support/lines.js';

type Kind = 'user' | 'assistant' | 'tool_result';
const page = (id: number, step: number, kind: Kind, tok = 100, more = {}) => {
  return { type: 'page', id, step, tok, kind, ...more };
};
const step = (i: number, needs: readonly number[] = [], ms = i * 1_000) => {
  return { type: 'step', i, ms, out: 10, needs: needs.map((id) => ({ id, why: 'annotated' })) };
};
/** A page a step, of the kinds in turn. */
const row = (
  kinds: readonly Kind[],
  needs: Readonly<Record<number, readonly number[]>> = {},
  ms?: (i: number) => number,
) => collected(...kinds.flatMap((kind, i) => [page(i, i, kind), step(i, needs[i], ms?.(i))]));
const named = (name: string): Contestant => {
  const found = findScheme(name);
  if (!found) throw new Error(name);
  return found;
};
const evicted = (report: ReturnType<typeof simulate>) =>
  report.events.flatMap((event) => (event.kind === 'eviction' ? [[event.step, event.page]] : []));

describe('a scheme', () => {
  it('has a name of its own, apart from those of policies', () => {
    const names = SCHEMES.map(({ name }) => name);
    expect(new Set([...names, ...Object.keys(POLICIES)]).size).toBe(
      names.length + Object.keys(POLICIES).length,
    );
    for (const { name, make } of SCHEMES) if (!(make().id in POLICIES)) expect(make().id).toBe(name);
  });

  it('keeps its own settings over those of the run, follows it in all else, and goes by its name', async () => {
    const trace = await row(Array.from({ length: 12 }, () => 'user'));
    const report = simulate(trace, named('memgpt-queue'), { budget: 450, targetShare: 0.9, faultOutput: 7 });
    const same = simulate(trace, fifo, {
      budget: 450,
      faultOutput: 7,
      remains: { kind: 'summary', ratio: 0.1, most: 133 },
    });
    expect(report).toEqual({ ...same, policy: 'memgpt-queue' });
    expect(ownOf(named('memgpt-queue'), { targetShare: 0.9, recall: 1 })).toEqual(['targetShare']);
    expect(ownOf(lru, { targetShare: 0.9 })).toEqual([]);
  });

  it('stands beside policies in a grid', async () => {
    const trace = await row(['user', 'assistant', 'user', 'assistant']);
    const rows = [
      ...runGrid(trace, {
        policies: [lru, named('cold-cache-window')],
        budgets: [{ tokens: 250 }],
        foresight: false,
      }),
    ];
    expect(rows.map(({ policy }) => policy)).toEqual(['lru', 'cold-cache-window']);
  });

  it.each(SCHEMES.flatMap(({ name, setup, stack }) => (stack ? [[name, setup, stack] as const] : [])))(
    '%s is made by a stack whose settings are settings of the kernel, with the same shares',
    (_, setup, { policy, limits }) => {
      expect(POLICIES).toHaveProperty(policy);
      const parsed = limitsSchema.parse(limits);
      expect(parsed).toEqual({ ...DEFAULT_LIMITS, ...limits });
      expect(parsed.flushShare).toBe(setup.flushShare);
      expect(parsed.targetShare).toBe(setup.targetShare);
      expect(parsed.backgroundShare).toBe(setup.coldShare);
    },
  );
});

describe('masking', () => {
  it('takes all results but the newest from the request at each call, and leaves tombstones', async () => {
    const trace = await row(
      Array.from({ length: 14 }, () => 'tool_result'),
      { 13: [1] },
    );
    const report = simulate(trace, named('observation-masking'), { budget: 100_000, events: true });
    expect(evicted(report)).toEqual([...[0, 1, 2, 3].map((id) => [id + 10, id]), [13, 4]]);
    expect(report).toMatchObject({ faults: 1, softFaults: 1, reclaims: 0, overflows: 0 });
    // Page 1 comes back as the newest result, so that two others give way; ten results and five tombstones are left.
    expect(report.peakTokens).toBe(1_000 + 50);
  });

  it('begins at its share of the budget when it has one', async () => {
    const trace = await row(Array.from({ length: 8 }, () => 'tool_result'));
    const report = simulate(trace, named('context-editing'), { budget: 1_000, events: true });
    // 600 tokens at step 5: half of the budget is passed, and all but three go; 3 × 10 + 5 × 100 at step 7.
    expect(evicted(report)).toEqual([...[0, 1, 2].map((id) => [5, id]), [7, 3], [7, 4]]);
  });

  it('leaves small results, errors and young ones, and with pins what came back', async () => {
    const kinds = (n: number): Kind => (n % 2 === 0 ? 'user' : 'tool_result');
    const lines = Array.from({ length: 22 }, (_, i) => {
      const small = i === 3 ? 100 : 200;
      return [
        page(i, i, kinds(i), small, i === 5 ? { failed: true } : {}),
        step(i, i === 12 || i === 13 ? [1] : []),
      ];
    });
    const trace = await collected(...lines.flat());
    const options = { budget: 100_000, events: true };
    const plain = evicted(simulate(trace, named('age-size-tombstone'), options));
    const pinned = evicted(simulate(trace, named('fault-pin-tombstone'), options));
    // Page 1 comes in the first turn and is four turns old with the fifth user message after it.
    expect(pinned[0]).toEqual([8, 1]);
    expect(pinned.filter(([, id]) => id === 1)).toHaveLength(1);
    expect(plain.filter(([, id]) => id === 1).length).toBeGreaterThan(1);
    expect(new Set(plain.map(([, id]) => id))).not.toContain(3);
    expect(new Set(plain.map(([, id]) => id))).not.toContain(5);
  });

  it('is followed by a summary over the budget, which takes the tombstones in and answers nothing of them', async () => {
    const kinds = Array.from({ length: 22 }, (_, i): Kind => (i < 15 ? 'tool_result' : 'user'));
    const trace = await row(kinds, { 21: [0] });
    const report = simulate(trace, named('mask-and-summarise'), { budget: 1_500, retention: 1 });
    expect(report.summaryHits).toBe(0);
    expect(report).toMatchObject({ faults: 1, softFaults: 0 });
    // Five tombstones of ten tokens are read by the call that writes the summary.
    expect(whole(report.summaries).plain % 100).toBe(50);
    const unmasked = simulate(trace, fifo, {
      budget: 1_500,
      remains: { kind: 'summary', ratio: 0.1, most: 2_000 },
      retention: 1,
    });
    expect(unmasked.summaryHits).toBe(1);
  });
});

describe('a cold cache', () => {
  it('is when the window reclaims, without waiting for the budget', async () => {
    const late = (i: number) => (i < 5 ? i : 1_000_000 + i);
    const trace = await row(
      Array.from({ length: 7 }, () => 'user'),
      {},
      late,
    );
    const at = (name: string) => simulate(trace, named(name), { budget: 700, events: true }).events.length;
    expect([at('memgpt-queue'), at('cold-cache-window')]).toEqual([0, 3]);
  });
});
