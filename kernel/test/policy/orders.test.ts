/** What goes first, exactly, on small traces made by hand. */
import { describe, expect, it } from 'vitest';
import { arc } from '../../src/policy/arc.js';
import { clock } from '../../src/policy/clock.js';
import { faultPin } from '../../src/policy/fault-pin.js';
import { sieve } from '../../src/policy/sieve.js';
import { supersededFirst } from '../../src/policy/superseded-first.js';
import { ask, born, give, need, results, take } from './pages.js';

const ALL = 10_000;

describe('clock', () => {
  it('gives a used page a second chance, and clears what the hand has passed', () => {
    const policy = clock();
    give(policy, 1, 2, 3, 4, 5);
    need(policy, 1, 3);
    expect(take(policy, 20)).toEqual([2, 4]);
    // The hand stands at 5; 1 and 3 were passed and have no bit any more.
    expect(ask(policy, ALL)).toEqual([5, 1, 3]);
  });

  it('lets a new page in behind the hand, so that it waits a whole round', () => {
    const policy = clock();
    give(policy, 1, 2, 3);
    need(policy, 1);
    expect(take(policy, 10)).toEqual([2]);
    give(policy, 4);
    expect(ask(policy, ALL)).toEqual([3, 1, 4]);
  });

  it('goes round twice when all were used', () => {
    const policy = clock();
    give(policy, 1, 2, 3);
    need(policy, 1, 2, 3);
    expect(take(policy, 10)).toEqual([1]);
    need(policy, 3);
    expect(ask(policy, ALL)).toEqual([2, 3]);
  });
});

describe('sieve', () => {
  it('leaves used pages where they are; new ones come in behind the newest, where the hand gets to them soon', () => {
    const policy = sieve();
    give(policy, 1, 2, 3, 4, 5);
    need(policy, 1, 3);
    expect(take(policy, 20)).toEqual([2, 4]);
    give(policy, 6);
    // Unlike under clock, the page that came last goes before those that were passed.
    expect(ask(policy, ALL)).toEqual([5, 6, 1, 3]);
  });

  it('goes on from the oldest when the hand has passed the newest', () => {
    const policy = sieve();
    give(policy, 1, 2, 3);
    need(policy, 1, 2);
    expect(take(policy, 10)).toEqual([3]);
    give(policy, 4);
    expect(ask(policy, ALL)).toEqual([1, 2, 4]);
  });
});

describe('arc', () => {
  it('takes pages that nobody needed before those that were, each from the longest ago', () => {
    const policy = arc();
    policy.configure({ capacity: 100, unit: 'tokens' });
    give(policy, 1, 2, 3, 4, 5);
    need(policy, 4, 2);
    expect(ask(policy, ALL)).toEqual([1, 3, 5, 4, 2]);
  });

  it('keeps more of what came lately once a page that had left unneeded is needed, by the size of that page', () => {
    const policy = arc();
    policy.configure({ capacity: 100, unit: 'tokens' });
    give(policy, born(1, { tokens: 30 }), 2, 3, 4, 5, 6);
    need(policy, 5, 6);
    expect(take(policy, 30)).toEqual([1]);
    // The target moves from 0 to 30: three pages of ten may stay, so those needed again go first.
    need(policy, 1);
    give(policy, 7);
    expect(ask(policy, ALL)).toEqual([5, 6, 7, 2, 3, 4]);
  });

  it('keeps more of what is needed again once such a page is missed', () => {
    const policy = arc();
    policy.configure({ capacity: 100, unit: 'tokens' });
    give(policy, 1, 2, 3, 4, 5);
    need(policy, 4, 5);
    expect(take(policy, 10)).toEqual([1]);
    need(policy, 1);
    give(policy, 6, 7);
    // The target is 10; 2, 3 and 7 are 30, so the first two go from there, then the turn is the others'.
    expect(take(policy, 30)).toEqual([2, 3, 4]);
    need(policy, 4);
    give(policy, 8);
    expect(ask(policy, ALL)).toEqual([7, 5, 6, 8]);
  });

  it('forgets ghosts beyond the capacity, and beyond their number', () => {
    for (const [policy, capacity] of [
      [arc(), 30],
      [arc({ ghosts: 2 }), 1_000],
    ] as const) {
      policy.configure({ capacity, unit: 'tokens' });
      give(policy, 1, 2, 3);
      take(policy, 30);
      give(policy, 4, 5, 6);
      take(policy, 30);
      need(policy, 1);
      give(policy, 7, 8, 9);
      // Page 1 was forgotten, so its need moved nothing and 7 is no page that was needed again.
      expect(ask(policy, ALL)).toEqual([7, 8, 9]);
    }
  });
});

describe('superseded-first', () => {
  it('takes what was read again first, oldest first, then the oldest', () => {
    const policy = supersededFirst();
    give(
      policy,
      1,
      results(2),
      results(3),
      4,
      results(5, { supersedes: [3] }),
      results(6, { supersedes: [2] }),
    );
    expect(ask(policy, ALL)).toEqual([2, 3, 1, 4, 5, 6]);
    expect(take(policy, 30)).toEqual([2, 3, 1]);
    expect(ask(policy, ALL)).toEqual([4, 5, 6]);
  });

  it('is fifo where nothing is told', () => {
    const policy = supersededFirst();
    give(policy, 1, 2, 3);
    need(policy, 1);
    expect(ask(policy, 20)).toEqual([1, 2]);
  });
});

describe('fault-pin', () => {
  const large = { tokens: 200 };

  it('takes large results once they are four user turns old, then the oldest; small and new ones wait', () => {
    const policy = faultPin();
    give(policy, 1, results(2, large), results(3), 4, results(5, large), 6, 7, 8);
    // Turns: page 2 is of the first of five, four ago; page 5 of the second, three ago.
    expect(ask(policy, ALL)).toEqual([2, 1, 3, 4, 5, 6, 7, 8]);
    give(policy, 9);
    expect(ask(policy, ALL)).toEqual([2, 5, 1, 3, 4, 6, 7, 8, 9]);
  });

  it('pins the page that brings back what had left, for eight turns', () => {
    const policy = faultPin();
    give(policy, 1, results(2, large), 3, 4, 5, 6);
    expect(take(policy, 200)).toEqual([2]);
    need(policy, 2);
    give(policy, results(7, large), 8);
    expect(ask(policy, ALL).at(-1)).toBe(7);
    give(policy, 9, 10, 11, 12, 13, 14);
    expect(ask(policy, ALL).at(-1)).toBe(7);
    give(policy, 15);
    expect(ask(policy, ALL)[0]).toBe(7);
  });

  it('keeps a pinned page longer the more often it is needed; the weakest pin gives way first', () => {
    const policy = faultPin();
    give(policy, 1, results(2, large), results(3, large));
    take(policy, 1_000);
    need(policy, 2);
    give(policy, results(4, large));
    need(policy, 3);
    give(policy, results(5, large), 6);
    need(policy, 4);
    expect(ask(policy, ALL)).toEqual([6, 5, 4]);
    give(policy, 7, 8, 9, 10, 11, 12, 13, 14);
    // Eight turns on: one fault is spent, a fault and a need are worth one.
    expect(ask(policy, ALL)[0]).toBe(5);
    expect(ask(policy, ALL).at(-1)).toBe(4);
  });

  it('takes a need of what is not born yet for no fault', () => {
    const policy = faultPin();
    give(policy, 1, 2);
    need(policy, 3);
    give(policy, results(3, large), 4);
    expect(ask(policy, ALL)).toEqual([1, 2, 3, 4]);
  });

  it('lets a pin go when the same is read anew', () => {
    const policy = faultPin();
    give(policy, 1);
    take(policy, 10);
    need(policy, 1);
    give(policy, results(2, large), 3, 4, 5, 6, results(7, { ...large, supersedes: [2] }));
    expect(ask(policy, ALL)[0]).toBe(2);
  });

  it('keeps errors for a while', () => {
    const policy = faultPin();
    give(policy, 1, results(2, { ...large, failed: true }), 3, 4, 5, 6);
    expect(ask(policy, ALL)).toEqual([1, 3, 4, 5, 6, 2]);
    give(policy, 7, 8, 9, 10);
    expect(ask(policy, ALL)[0]).toBe(2);
  });

  it('pins for ever with a half-life without end, as its source did', () => {
    const policy = faultPin({ halfLife: Number.POSITIVE_INFINITY });
    give(policy, 1, results(2, { ...large, failed: true }));
    give(policy, ...Array.from({ length: 200 }, (_, n) => n + 3));
    expect(ask(policy, ALL).at(-1)).toBe(2);
  });
});
