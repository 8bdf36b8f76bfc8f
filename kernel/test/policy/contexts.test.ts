/** Policies that go by what pages are, on small traces made by hand. */
import { describe, expect, it } from 'vitest';
import { ageSize } from '../../src/policy/age-size.js';
import { clearToolResults } from '../../src/policy/clear-tool-results.js';
import { compaction } from '../../src/policy/compaction.js';
import { sinksWindow } from '../../src/policy/sinks-window.js';
import { ask, born, give, need, results, take } from './pages.js';

const ALL = 100_000;

describe('age-size', () => {
  it('takes large results that are older than four user turns, then the oldest, and errors last', () => {
    const policy = ageSize();
    give(
      policy,
      1,
      results(2, { tokens: 500 }),
      results(3, { tokens: 125 }),
      results(4, { tokens: 900, failed: true }),
    );
    for (let id = 5; id <= 8; id++) give(policy, id);
    give(policy, results(9, { tokens: 800 }));
    expect(ask(policy, ALL)).toEqual([2, 1, 3, 5, 6, 7, 8, 9, 4]);
  });

  it('waits until they are old, as old as it is told, and does not care for needs', () => {
    const policy = ageSize({ age: 1, least: 50 });
    give(policy, 1, results(2, { tokens: 60 }));
    expect(ask(policy, ALL)).toEqual([1, 2]);
    give(policy, 3);
    need(policy, 2);
    expect(ask(policy, ALL)).toEqual([2, 1, 3]);
  });
});

describe('clear-tool-results', () => {
  it('takes results but for the newest three, then the other pages, then those', () => {
    const policy = clearToolResults();
    give(policy, 1, results(2), results(3), 4, results(5), results(6), results(7));
    expect(ask(policy, ALL)).toEqual([2, 3, 1, 4, 5, 6, 7]);
  });

  it('keeps as many as it is told', () => {
    const policy = clearToolResults({ keep: 0 });
    give(policy, 1, results(2), results(3));
    expect(ask(policy, ALL)).toEqual([2, 3, 1]);
  });
});

describe('sinks-window', () => {
  it('takes the oldest that is none of the first four', () => {
    const policy = sinksWindow();
    give(policy, 1, 2, 3, 4, 5, 6, 7);
    expect(take(policy, 20)).toEqual([5, 6]);
    expect(ask(policy, ALL)).toEqual([7, 1, 2, 3, 4]);
  });
});

describe('compaction', () => {
  it('takes all that may go, however little must', () => {
    const policy = compaction();
    give(policy, 1, 2, born(3, { tokens: 5_000 }), 4);
    expect(ask(policy, 1, { isEligible: (id) => id !== 4 })).toEqual([1, 2, 3]);
  });
});
