import type { PageId } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fifo } from '../../src/policy/fifo.js';
import { lru } from '../../src/policy/lru.js';
import type { PagingPolicy } from '../../src/policy/policy.js';
import { findPolicy } from '../../src/policy/registry.js';
import { Harness } from '../support/harness.js';
import { looksUp, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

const born = (id: PageId, tokens = 10) => ({ id, kind: 'user', tokens, firstSeq: id, lastSeq: id }) as const;
const all = { isEligible: () => true, step: 0 };

/** Births 1 to 8 of 10 tokens, with needs of 2 and 5 on the way, and page 3 gone. */
function play(policy: PagingPolicy): PagingPolicy {
  policy.configure({ capacity: 100, unit: 'tokens' });
  for (let id = 1; id <= 6; id++) policy.onBirth(born(id));
  policy.onNeed([{ id: 2, why: 'search-hit' }], 1);
  policy.onResidency(3, 'evicted', 'reclaim');
  policy.onBirth(born(7));
  policy.onNeed(
    [
      { id: 5, why: 'page-in' },
      { id: 3, why: 'page-in' },
    ],
    2,
  );
  policy.onBirth(born(8, 30));
  return policy;
}

describe('policies on a fixed trace', () => {
  it('fifo takes the oldest, used or not', () => {
    expect(play(fifo()).victims({ ...all, release: 35 })).toEqual([1, 2, 4, 5]);
  });

  it('lru takes what was needed longest ago', () => {
    expect(play(lru()).victims({ ...all, release: 35 })).toEqual([1, 4, 6, 2]);
  });

  it.each([fifo, lru])(
    '%o takes everything that is eligible when more is asked for, and nothing else',
    (make) => {
      const asked = play(make()).victims({ release: 10_000, isEligible: (id) => id % 2 === 0, step: 0 });
      expect([...asked].sort()).toEqual([2, 4, 6, 8]);
    },
  );

  it.each([fifo, lru])('%o goes on from its snapshot as if nothing had happened', (make) => {
    const live = play(make());
    const restored = make();
    expect(restored.restore(live.snapshot(65_536), 1)).toBe(true);
    expect(restored.victims({ ...all, release: 55 })).toEqual(live.victims({ ...all, release: 55 }));
    expect(restored.snapshot(65_536)).toEqual(live.snapshot(65_536));
  });

  it.each([fifo, lru])('%o says no to bytes that are none of its own', (make) => {
    for (const bytes of ['', '{}', '[1,2]', '[[1]]', '[[1,"x"]]', '\u0000']) {
      expect(make().restore(new TextEncoder().encode(bytes), 1)).toBe(false);
    }
    expect(make().restore(play(make()).snapshot(65_536), 2)).toBe(false);
    expect(play(make()).snapshot(10)).toHaveLength(0);
  });

  it.each([fifo, lru])('%o goes by what the pages take now, where that is told', (make) => {
    const ask = { ...all, release: 35, tokensOf: (id: PageId) => (id === 1 ? 40 : 1) };
    expect(play(make()).victims(ask)).toEqual([1]);
  });

  it('an unknown name lists the known ones', () => {
    expect(() => findPolicy('lfuda')).toThrow(
      expect.objectContaining({
        code: 'E_CONFIG',
        hint:
          'known policies: fifo, lru, mru, random, clock, sieve, lfu, 2q, s3-fifo, arc, lirs, w-tinylfu, ' +
          'recency-importance-relevance, age-size, fault-pin, clear-tool-results, sinks-window, compaction, ' +
          'superseded-first, batch-prefix, need-density; or the path of a module of yours, such as ./my-policy.mjs',
      }),
    );
  });
});

describe('policies in the kernel', () => {
  const searches = (policy: () => PagingPolicy) =>
    new Harness({
      policy,
      limits: { keepExchanges: 0 },
      reply: (request) =>
        request.messages.at(-2)?.role === 'user' ? looksUp('conversation_search') : tells('found'),
      tool: () => ({ text: 'hit', needs: [{ page: 1, why: 'search-hit' }] }),
    });

  it('a needed page stays under lru and leaves under fifo', () => {
    const evicted = [fifo, lru].map((policy) => {
      const harness = searches(policy);
      while (harness.observed('flush-finished').length === 0) harness.send(textOf(100));
      return harness.observed('page-evicted').map(({ page }) => page);
    });
    expect(evicted[0]?.[0]).toBe(1);
    expect(evicted[1]).not.toContain(1);
  });

  it('a need of a page that has left is a page fault', () => {
    const harness = searches(fifo);
    while (harness.observed('flush-finished').length === 0) harness.send(textOf(100));
    harness.send('once more');
    expect(harness.observed('page-needed').at(-1)).toMatchObject({ page: 1, why: 'search-hit', fault: true });
    expect(harness.state.head.counters.faults).toBeGreaterThan(0);
  });

  it('takes all that a policy names, also when it is more than was asked for, and tells it in its own order', () => {
    const left: PageId[] = [];
    const bulk = (): PagingPolicy => {
      const known: PageId[] = [];
      return {
        ...fifo(),
        id: 'bulk',
        onBirth: ({ id }) => void known.push(id),
        onResidency: (id, now) => void (now === 'evicted' && left.push(id)),
        victims: ({ isEligible }) => known.filter(isEligible).reverse(),
      };
    };
    const harness = new Harness({ policy: bulk, limits: { keepExchanges: 0 } });
    while (harness.observed('flush-finished').length === 0) harness.send(textOf(100));
    const [reclaim] = harness.observed('reclaim');
    expect(reclaim?.victims).toEqual(reclaim?.eligible.toReversed());
    expect(reclaim?.victims.length).toBeGreaterThan(8);
    expect(left).toEqual(reclaim?.victims);
    expect(harness.observed('page-evicted').map(({ page }) => page)).toEqual(reclaim?.eligible);
  });

  it('asks with what the pages take now: a stub is smaller than it was born', () => {
    const asked: { id: PageId; tokens: number }[] = [];
    const curious = (): PagingPolicy => ({
      ...fifo(),
      victims: ({ isEligible, tokensOf, release }) => {
        const ids = Array.from({ length: 60 }, (_, id) => id).filter(isEligible);
        asked.push(...ids.map((id) => ({ id, tokens: tokensOf?.(id) ?? 0 })));
        return release > 0 ? ids : [];
      },
    });
    const harness = new Harness({ policy: curious });
    while (harness.observed('reclaim').length === 0) harness.send(textOf(100));
    const [reclaim] = harness.observed('reclaim');
    expect(asked.map(({ id }) => id)).toEqual(reclaim?.eligible);
    expect(asked.map(({ tokens }) => tokens)).toEqual(reclaim?.sizes);
  });

  it('the same call again in a turn is a need of the page that holds it', () => {
    const harness = new Harness({ reply: (_, n) => (n < 2 ? looksUp('read') : tells('done')) });
    harness.send('look twice');
    expect(harness.observed('page-needed')).toMatchObject([{ page: 2, why: 'repeated-call', fault: false }]);
  });
});

type Lie = (eligible: readonly PageId[]) => readonly PageId[];

/** Keeps its word in everything but the one thing that matters. */
function liar(lie: Lie): () => PagingPolicy {
  return () => {
    const known: PageId[] = [];
    return {
      ...fifo(),
      id: 'liar',
      onBirth: ({ id }) => void known.push(id),
      victims: ({ isEligible }) => lie(known.filter(isEligible)),
    };
  };
}

describe('a policy that lies', () => {
  const LIES: Record<string, Lie> = {
    'names pages that do not exist': () => [-1, 0, 99_999, Number.NaN],
    'names one page many times': ([first = 1]) => [first, first, first],
    'names too few': (eligible) => eligible.slice(0, 1),
    'names none': () => [],
    'names the newest first': (eligible) => [...eligible].reverse(),
    'names pages that are not eligible': () => Array.from({ length: 500 }, (_, i) => 500 - i),
  };

  it.each(Object.entries(LIES))('that %s breaks nothing', (_, lie) => {
    const harness = new Harness({ policy: liar(lie) });
    for (let n = 0; n < 40; n++) {
      expect(harness.send(`${textOf(120)} ${n}`).outcome).toBe('answered');
      const last = harness.lastMessages().findLast(({ role }) => role === 'user');
      expect(last?.parts[0]).toMatchObject({ text: expect.stringMatching(new RegExp(` ${n}$`)) });
    }
    for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
    expect(harness.observed('flush-finished').length).toBeGreaterThan(1);
    for (const { victims } of harness.observed('reclaim')) expect(new Set(victims).size).toBe(victims.length);
    for (const { evicted, before, after } of harness.observed('flush-finished')) {
      expect(evicted).toBeGreaterThan(0);
      expect(after).toBeLessThanOrEqual(Math.max(780, before - evicted * 120));
    }
  });

  it('at random breaks nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: -5, max: 60 }), { maxLength: 20 }), {
          minLength: 8,
          maxLength: 8,
        }),
        (answers) => {
          let asked = 0;
          const harness = new Harness({ window: 1_000, policy: liar(() => answers[(asked += 1) % 8] ?? []) });
          for (let n = 0; n < 25; n++) expect(harness.send(textOf(100)).outcome).toBe('answered');
          for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
        },
      ),
      { numRuns: 25 },
    );
  });
});
