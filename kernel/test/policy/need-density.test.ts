import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { needDensity } from '../../src/policy/need-density.js';
import { NeedRates } from '../../src/policy/need-rates.js';
import { cheapestVictims, type Offer } from '../../src/policy/prefix-cut.js';
import { born, give, need, take } from './pages.js';

/** Pages of a queue, each of so many tokens, worth so much, at no rent. */
const queueOf = (...pages: readonly (readonly [tokens: number, worth: number, rent?: number])[]): Offer[] =>
  pages.map(([tokens, worth, rent = 0], id) => ({ id, tokens, worth, rent, isEligible: true }));

describe('the cheapest victims', () => {
  it('are those that are worth least for a token, where rewriting costs nothing', () => {
    expect(cheapestVictims(queueOf([100, 10], [10, 2], [50, 1]), 120, 0)).toEqual([2, 0]);
  });

  it('stand at the end of the queue, when rewriting is dear and they are worth the same', () => {
    const alike = queueOf([10, 1], [10, 1], [10, 1], [10, 1]);
    expect(cheapestVictims(alike, 20, 0)).toEqual([0, 1]);
    expect(cheapestVictims(alike, 20, 1)).toEqual([2, 3]);
  });

  it('are as many as must go; and who is not worth its rent goes too', () => {
    expect(cheapestVictims(queueOf([10, 1, 5], [10, 2, 5], [10, 9, 5]), 5, 0)).toEqual([0, 1]);
    expect(cheapestVictims(queueOf([10, 1, 5], [10, 6, 5], [10, 9, 5]), 5, 0)).toEqual([0]);
  });

  const offer = fc.record({
    tokens: fc.integer({ min: 1, max: 50 }),
    worth: fc.integer({ min: 0, max: 50 }),
    rent: fc.integer({ min: 0, max: 20 }),
    isEligible: fc.boolean(),
  });
  const queue = fc.array(offer, { maxLength: 9 }).map((all) => all.map((one, id) => ({ ...one, id })));

  it('release enough, are eligible, and cost no more than by worth alone', () => {
    fc.assert(
      fc.property(
        queue,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 3 }),
        (all, release, price) => {
          const cost = (ids: readonly number[]) => {
            const first = all.findIndex(({ id }) => ids.includes(id));
            const rewritten = all
              .slice(Math.max(0, first))
              .filter(({ id }) => first >= 0 && !ids.includes(id));
            const own = all
              .filter(({ id }) => ids.includes(id))
              .reduce((sum, one) => sum + one.worth - one.rent, 0);
            return own + price * rewritten.reduce((sum, { tokens }) => sum + tokens, 0);
          };
          const ids = cheapestVictims(all, release, price);
          const eligible = all.filter(({ isEligible }) => isEligible);
          const released = all
            .filter(({ id }) => ids.includes(id))
            .reduce((sum, { tokens }) => sum + tokens, 0);
          expect(eligible.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
          expect(released >= release || ids.length === eligible.length).toBe(true);
          expect(cost(ids)).toBeLessThanOrEqual(cost(cheapestVictims(all, release, 0)));
        },
      ),
    );
  });
});

describe('rates of need', () => {
  it('are one in 500 births before anything was needed, and not much less after a long talk without a need', () => {
    const rates = new NeedRates({ births: 500, weight: 4 });
    expect(rates.rate('user', 0)).toBeCloseTo(1 / 500);
    for (let page = 0; page < 2_000; page++) {
      rates.tick();
      rates.add('user', 0);
    }
    expect(rates.rate('user', 0)).toBeGreaterThan(0.4 / 500);
  });

  it('expect half as much of the model’s own words, and a tenth of what is out of date', () => {
    const rates = new NeedRates({ births: 500, weight: 4 });
    expect(rates.rate('reply', 0)).toBeCloseTo(0.5 / 500);
    expect(rates.rate('superseded', 0)).toBeCloseTo(0.1 / 500);
  });

  it('rise for the class that is needed, against the others that live as long', () => {
    const rates = new NeedRates({ births: 500, weight: 4 });
    for (let page = 0; page < 100; page++) {
      rates.tick();
      rates.add(page % 2 === 0 ? 'results' : 'user', 0);
    }
    for (let page = 0; page < 40; page++) rates.need('results', 0);
    expect(rates.rate('results', 0)).toBeGreaterThan(3 * rates.rate('user', 0));
    expect(rates.rate('results', 1)).not.toBe(rates.rate('results', 0));
  });

  it('are the same after they were written down and read back', () => {
    const rates = new NeedRates({ births: 500, weight: 4 });
    for (let page = 0; page < 20; page++) {
      rates.add('user', 0);
      rates.tick();
      if (page % 3 === 0) rates.need('user', 0);
    }
    const again = new NeedRates({ births: 500, weight: 4 });
    again.load(rates.figures());
    expect(again.rate('user', 1)).toBe(rates.rate('user', 1));
  });
});

describe('need-density', () => {
  it('lets one large page go rather than many small ones that are needed as often', () => {
    const policy = needDensity({ cached: 1, written: 1 });
    for (let id = 1; id <= 9; id++) give(policy, born(id, { tokens: id === 5 ? 200 : 20 }));
    expect(take(policy, 100)).toEqual([5]);
  });

  it('keeps what was needed before over what never was, also when it had left meanwhile', () => {
    const policy = needDensity({ cached: 1, written: 1 });
    give(policy, 1, 2, 3);
    expect(take(policy, 10)).toEqual([1]);
    need(policy, 1);
    give(policy, 1);
    expect(take(policy, 20)).toEqual([2, 3]);
  });

  it('lets a page go that a later one makes out of date', () => {
    const policy = needDensity({ cached: 1, written: 1 });
    give(policy, 1, 2, 3, born(4, { supersedes: [3] }));
    expect(take(policy, 10)).toEqual([3]);
  });

  it('cuts where the cached prefix breaks late, when cached tokens are cheap', () => {
    const policy = needDensity({ cached: 0.02, written: 1.25 });
    for (let id = 1; id <= 20; id++) give(policy, id);
    expect(Math.min(...take(policy, 50))).toBeGreaterThan(10);
  });

  it('keeps no more than a thousand ghosts, and knows nothing of an erased page', () => {
    const policy = needDensity();
    give(policy, 1, 2);
    policy.onResidency(2, 'evicted', 'erasure');
    expect(new TextDecoder().decode(policy.snapshot(10_000))).toMatch(
      /"pages":\[\[1,10,0,0\]\],"ghosts":\[\]/,
    );
    for (let id = 3; id <= 2_500; id++) give(policy, id);
    take(policy, 30_000);
    const { knows } = JSON.parse(new TextDecoder().decode(policy.snapshot(1_000_000))) as {
      knows: { ghosts: unknown[] };
    };
    expect(knows.ghosts).toHaveLength(1_000);
  });

  it('gives up its ghosts when a snapshot has little room', () => {
    const policy = needDensity();
    for (let id = 1; id <= 200; id++) give(policy, id);
    take(policy, 1_900);
    const restored = needDensity();
    expect(restored.restore(policy.snapshot(500), 1)).toBe(true);
  });
});
