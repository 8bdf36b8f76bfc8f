/** A policy that is told everything only when it is asked. */
import { describe, expect, it } from 'vitest';
import { lru } from '../../src/policy/lru.js';
import type { PagingPolicy } from '../../src/policy/policy.js';
import { lazyPolicy } from '../../src/shell/processes/lazy-policy.js';
import { textOf } from '../support/words.js';
import { startProcesses } from '../support/stack.js';
import { countPiece } from '../support/count.js';
import { born, give } from '../policy/pages.js';

const start = startProcesses();

function told(policy: PagingPolicy): void {
  policy.onBirth(born(4));
  policy.onNeed([{ id: 1, why: 'page-in' }], 3);
  policy.onResidency(2, 'evicted', 'reclaim');
}

const residents = (policy: PagingPolicy) => give(policy, 1, 2, 3);
const ask = { release: 1_000_000, isEligible: () => true, step: 3 };

describe('a lazy policy', () => {
  it('says the same as one that was told at once, in the same order', () => {
    const eager = lru();
    residents(eager);
    told(eager);
    const lazy = lazyPolicy(lru(), residents);
    told(lazy);
    expect(lazy.victims(ask)).toEqual([3, 4, 1]);
    expect(lazy.victims(ask)).toEqual(eager.victims(ask));
    expect(lazy.snapshot(10_000)).toEqual(eager.snapshot(10_000));
  });

  it('is prepared once, and not before it is asked', () => {
    let prepared = 0;
    const lazy = lazyPolicy(lru(), () => prepared++);
    told(lazy);
    expect(prepared).toBe(0);
    lazy.victims(ask);
    lazy.victims(ask);
    told(lazy);
    expect(prepared).toBe(1);
  });
});

describe('a question whose turn is thrown away', () => {
  const births: number[] = [];
  const spying = (): PagingPolicy => {
    const policy = lru();
    return { ...policy, onBirth: (view) => (births.push(view.id), policy.onBirth(view)) };
  };

  it('tells the policy of no resident, unless something must leave', async () => {
    const { process } = await start({
      policy: spying,
      countPiece,
      window: 8_000,
      limits: { oversizedShare: 1 },
    });
    await process.append(Array.from({ length: 20 }, (_, n) => ({ text: `line ${n}` })));
    births.length = 0;
    expect((await process.ask('are you there?')).outcome).toBe('answered');
    expect(births).toEqual([]);
    const { pressure, budget } = await process.map();
    expect((await process.ask(textOf(budget.tokens - pressure, 'x'))).outcome).toBe('answered');
    expect(births.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });
});
