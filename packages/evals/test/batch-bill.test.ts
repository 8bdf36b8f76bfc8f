import { expect, it } from 'vitest';
import { measureCache } from '../bench/cache.js';

/** Each run is of 200 turns: half a minute on a busy machine. */
const LIMIT = 300_000;

it(
  'where little is asked to go at a time, batch-prefix flushes more rarely than lru, rewrites less, and costs less',
  async () => {
    // With nearly all of the budget as the target, each flush is asked to free little.
    const limits = { targetShare: 0.97 };
    const lru = await measureCache('stable', { policy: 'lru', limits });
    const batch = await measureCache('stable', { policy: 'batch-prefix', limits });
    expect(batch.flushes).toBeLessThan(lru.flushes / 2);
    expect(batch.sum.rewritten).toBeLessThan(lru.sum.rewritten / 2);
    expect(batch.price).toBeLessThan(lru.price);
    // The same was said in both.
    expect(batch.bills).toHaveLength(lru.bills.length);
  },
  LIMIT,
);
