/** What the classic policies are there for, one sentence each. */
import type { PageId } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { lru } from '../../src/policy/lru.js';
import { random } from '../../src/policy/random.js';
import { POLICIES } from '../../src/policy/registry.js';
import { misses } from './demand.js';
import { ask, give, need, take } from './pages.js';

const range = (from: number, length: number) => Array.from({ length }, (_, n) => from + n);

describe('random', () => {
  it('draws the same pages from the same seed, and others from another', () => {
    const trace = range(0, 400).map((n) => (n * 7919) % 60);
    const [one, again, other] = [1, 1, 2].map((seed) => misses(random({ seed }), 20, trace));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('lets each page go about as often as any other, also where some may not go', () => {
    const gone = new Map<PageId, number>();
    for (let seed = 0; seed < 4_000; seed++) {
      const policy = random({ seed });
      give(policy, ...range(1, 10));
      const [victim = 0] = ask(policy, 10, { isEligible: (id) => id <= 8 });
      gone.set(victim, (gone.get(victim) ?? 0) + 1);
    }
    expect([...gone.keys()].toSorted((a, b) => a - b)).toEqual(range(1, 8));
    for (const times of gone.values()) expect(Math.abs(times - 500)).toBeLessThan(100);
  });
});

describe('a scan of pages that are needed once', () => {
  const hot = range(1, 8);
  const warm = Array.from({ length: 6 }, () => hot).flat();
  /** Hot pages, then a scan three times as long as the memory, then the hot ones again. */
  const hotMisses = (make: Parameters<typeof misses>[0]) => {
    const missed = misses(make, 20, [...warm, ...range(100, 20), ...warm, ...range(200, 60), ...hot]);
    return missed.slice(-8).filter((id) => hot.includes(id)).length;
  };

  it('empties an LRU memory, and leaves what is needed often where that is known', () => {
    expect(hotMisses(lru())).toBe(8);
    for (const name of ['lfu', 's3-fifo', 'arc', 'lirs'] as const) {
      expect(hotMisses(POLICIES[name]()), name).toBe(0);
    }
    // Its counters fade, and may be shared.
    expect(hotMisses(POLICIES['w-tinylfu']())).toBeLessThanOrEqual(1);
  });
});

describe('w-tinylfu', () => {
  const warm = () => {
    const policy = POLICIES['w-tinylfu']();
    policy.configure({ capacity: 100, unit: 'tokens' });
    give(policy, ...range(1, 10));
    need(policy, 1, 2, 3, 4, 1, 2, 3, 4);
    return policy;
  };

  it('lets the newcomer go that was needed less often than what the main part would give', () => {
    const policy = warm();
    expect(take(policy, 60)).toEqual([5, 6, 7, 8, 9, 1]);
  });

  it('lets the older page go once the newcomer was needed more often', () => {
    const policy = warm();
    take(policy, 50);
    give(policy, 11, 12);
    expect(ask(policy, 10)).toEqual([10]);
  });

  it('goes on without its counters where there is no room for them', () => {
    const policy = warm();
    const small = policy.snapshot(400);
    expect(small.length).toBeGreaterThan(0);
    const restored = POLICIES['w-tinylfu']();
    restored.configure({ capacity: 100, unit: 'tokens' });
    expect(restored.restore(small, 1)).toBe(true);
    expect(ask(restored, 1_000)).toHaveLength(10);
  });
});

describe('what was erased', () => {
  it.each(['2q', 's3-fifo', 'lirs'] as const)('is no ghost of %s, needed or not', (name) => {
    const policy = POLICIES[name]();
    policy.configure({ capacity: 100, unit: 'tokens' });
    give(policy, ...range(1, 10));
    const [gone = 0] = take(policy, 10);
    need(policy, gone);
    policy.onResidency(gone, 'evicted', 'erasure');
    expect(new TextDecoder().decode(policy.snapshot(10_000))).not.toContain(`[${gone},`);
    expect(new TextDecoder().decode(policy.snapshot(10_000))).not.toContain(`"wanted":${gone}`);
  });
});
