/** The policies that weigh: by content, and by price. */
import { describe, expect, it } from 'vitest';
import { batchPrefix, payingBatch } from '../../src/policy/batch-prefix.js';
import { recencyImportanceRelevance } from '../../src/policy/recency-importance-relevance.js';
import { ask, born, give, need, take } from './pages.js';

const ALL = 10_000;

describe('recency, importance, relevance', () => {
  it('is recency where pages tell nothing of their content: the page longest unneeded goes first', () => {
    const policy = recencyImportanceRelevance();
    give(policy, 1, 2, 3, 4);
    need(policy, 1);
    expect(ask(policy, ALL)).toEqual([2, 3, 1, 4]);
  });

  it('lets what carries exact values outlive what is newer', () => {
    const policy = recencyImportanceRelevance();
    give(policy, born(1, { facts: 4 }), born(2, { facts: 0 }), born(3, { facts: 2 }), born(4, { facts: 0 }));
    // Recency scaled is nearly 0, 1/3, 2/3, 1; importance 1, 0, .5, 0. Sums .0 + 1, .33, 1.17, 1.
    expect(ask(policy, ALL)).toEqual([2, 1, 4, 3]);
  });

  it('lets what is talked about stay', () => {
    const policy = recencyImportanceRelevance();
    give(policy, born(1, { terms: [5, 6, 7] }), born(2, { terms: [8, 9] }), born(3, { terms: [1] }), 4);
    expect(ask(policy, 10, { focus: [1, 2] })).toEqual([1]);
    expect(ask(policy, 10, { focus: [5, 6] })).toEqual([2]);
    expect(ask(policy, ALL, { focus: [8, 9, 1] })).toEqual([1, 4, 2, 3]);
  });

  it('scales between the pages that may go, and no others', () => {
    const policy = recencyImportanceRelevance({ importance: 2 });
    give(policy, born(1, { facts: 2 }), born(2, { facts: 1 }), born(3, { facts: 10 }));
    // Among all three, one value more of nine is little beside being newer; between the first two it is all there is.
    expect(ask(policy, 10)).toEqual([1]);
    expect(ask(policy, 10, { isEligible: (id) => id < 3 })).toEqual([2]);
  });

  it('decays by .995 a page', () => {
    const isEligible = (id: number) => [1, 102, 203].includes(id);
    const first = (facts: number) => {
      const policy = recencyImportanceRelevance();
      give(policy, born(1, { facts }), ...Array.from({ length: 202 }, (_, n) => n + 2));
      give(policy, born(204, { facts: 10 }));
      return ask(policy, 10, { isEligible: (id) => isEligible(id) || id === 204 });
    };
    // Page 102 is at (.995^102 - .995^203) / (1 - .995^203) = .373 of recency, page 1 at facts / 10 of importance.
    expect(first(3)).toEqual([1]);
    expect(first(4)).toEqual([102]);
  });
});

describe('the batch that pays', () => {
  it('is where what it saves until its room is filled again equals what it rewrites', () => {
    for (const [ratio, growth, queue] of [
      [24, 200, 8_000],
      [9, 200, 8_000],
      [24, 200, 100_000],
      [49, 50, 3_000],
    ] as const) {
      const batch = payingBatch(ratio, growth, queue);
      // In prices of a cached token: what is saved a request, times requests, against the ratio times what stays.
      expect(batch * (batch / growth)).toBeGreaterThanOrEqual(ratio * (queue - batch));
      const less = batch - 1;
      expect(less * (less / growth)).toBeLessThan(ratio * (queue - less));
    }
    expect(payingBatch(24, 200, 8_000) / 8_000).toBeCloseTo(0.53, 2);
    expect(payingBatch(24, 200, 100_000) / 100_000).toBeCloseTo(0.196, 2);
  });

  it('is nothing where the cache saves nothing, or nothing grows', () => {
    expect(payingBatch(0, 200, 8_000)).toBe(0);
    expect(payingBatch(-0.5, 200, 8_000)).toBe(0);
    expect(payingBatch(24, 0, 8_000)).toBe(0);
  });
});

describe('batch-prefix', () => {
  /** Forty pages of ten tokens. */
  const forty = Array.from({ length: 40 }, (_, n) => n + 1);

  it('takes more than was asked for when the prefix is dear: 400 tokens at 10 a request, of which 213 pay', () => {
    const policy = batchPrefix();
    give(policy, ...forty);
    need(policy, 2);
    expect(payingBatch(24, 10, 400)).toBe(213);
    const victims = ask(policy, 50, { step: 40 });
    expect(victims).toEqual([1, ...forty.slice(2, 23)]);
  });

  it('takes what is asked for when that is more, when the cache is cheap, and while growth is unknown', () => {
    const policy = batchPrefix();
    give(policy, ...forty);
    expect(ask(policy, 300, { step: 40 })).toHaveLength(30);
    expect(ask(policy, 50, { step: 0 })).toHaveLength(5);
    const cheap = batchPrefix({ cached: 1, written: 1 });
    give(cheap, ...forty);
    expect(ask(cheap, 50, { step: 40 })).toHaveLength(5);
    // Rebuilt in the middle of a life: when the last flush was is not known.
    const rebuilt = batchPrefix();
    give(rebuilt, ...forty.map((id) => id + 1));
    expect(ask(rebuilt, 50, { step: 4_000 })).toHaveLength(5);
  });

  it('measures growth since the last flush', () => {
    const policy = batchPrefix();
    give(policy, ...forty);
    take(policy, 50, { step: 40 });
    // 18 pages are left; 20 come within 2 requests: 100 tokens a request.
    give(policy, ...Array.from({ length: 20 }, (_, n) => n + 41));
    const due = payingBatch(24, 100, 380);
    expect(ask(policy, 10, { step: 42 })).toHaveLength(Math.ceil(due / 10));
    expect(due).toBeGreaterThan(330);
  });
});
