import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PagingPolicy } from '../../src/policy/policy.js';
import { findPolicy, POLICIES, POLICY_SETTINGS } from '../../src/policy/registry.js';
import { history, Life } from './history.js';

/** In a memory of 1,000 tokens, so that parts of it have a size. */
function asked(policy: PagingPolicy, ops: Parameters<Life['play']>[0]) {
  policy.configure({ capacity: 1_000, unit: 'tokens' });
  return new Life(policy).play(ops).asked.map(({ victims }) => victims);
}

describe('the settings of a policy', () => {
  it.each(Object.entries(POLICY_SETTINGS))('are by default what %s has without them', (name, settings) => {
    const make: (options: object) => PagingPolicy = POLICIES[name as keyof typeof POLICIES];
    const usual = Object.fromEntries(Object.entries(settings).map(([key, one]) => [key, one.usual]));
    fc.assert(
      fc.property(history, (ops) => {
        expect(asked(make(usual), ops)).toEqual(asked(make({}), ops));
      }),
    );
  });

  it('reach it, and are in its name, in one order, however they were written', () => {
    const policy = findPolicy('2q:ghostShare=.40:recentShare=.1')();
    expect(policy.id).toBe('2q:recentShare=0.1:ghostShare=0.4');
    expect(findPolicy(policy.id)().id).toBe(policy.id);
    const withoutSinks = findPolicy('sinks-window:sinks=0');
    fc.assert(
      fc.property(history, (ops) => {
        expect(asked(withoutSinks(), ops)).toEqual(asked(findPolicy('fifo')(), ops));
      }),
    );
  });

  it('that are as usual change nothing, also not the name', () => {
    expect(findPolicy('2q:recentShare=.25')).toBe(POLICIES['2q']);
  });

  it.each([
    ['2q:recent=.1', 'policy "2q" has no setting "recent"', /recentShare=0.25, ghostShare=0.5/],
    ['2q:', 'policy "2q" has no setting ""', /recentShare/],
    ['lru:depth=3', 'policy "lru" has no setting "depth"', /it has none/],
    ['2q:recentShare=2', 'policy "2q": recentShare is "2"; it must be a number from 0 to 1', /0.25/],
    ['2q:recentShare=', 'policy "2q": recentShare is ""; it must be a number from 0 to 1', /0.25/],
    [
      'arc:ghosts=1.5',
      'policy "arc": ghosts is "1.5"; it must be a whole number from 0 to 2147483647',
      /2048/,
    ],
    ['arc:ghosts=1:ghosts=1', 'policy "arc": ghosts is set twice', /ghosts=2048/],
    ['arc:__proto__=1', 'policy "arc" has no setting "__proto__"', /ghosts/],
  ])('%s is refused', (name, message, hint) => {
    expect(() => findPolicy(name)).toThrowError(
      expect.objectContaining({ code: 'E_CONFIG', message, hint: expect.stringMatching(hint) }),
    );
  });
});
