import { fifo, lru, POLICIES } from '@pagefault/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetChoice, farthestNeed, runGrid, simulatePaging, tokensOf } from '../../src/index.js';
import { collected } from '../support/lines.js';

const page = (id: number, step: number, tok: number) => ({ type: 'page', id, step, tok, kind: 'user' });
const step = (i: number, needs: readonly number[]) => {
  return { type: 'step', i, ms: i, out: 1, needs: needs.map((id) => ({ id, why: 'annotated' })) };
};
/** A page a step, and a need of an earlier one. */
const traceOf = (rows: readonly { readonly size: number; readonly back: number }[]) =>
  collected(...rows.flatMap(({ size, back }, i) => [page(i, i, size), step(i, back > i ? [] : [i - back])]));

describe('what knows the needs to come', () => {
  it('faults nowhere when what is needed again fits, and keeps what is needed soonest when it does not', async () => {
    const trace = await collected(
      ...[0, 1, 2, 3].flatMap((id) => [page(id, id, 10), step(id, [])]),
      page(4, 4, 10),
      step(4, []),
      step(5, [1]),
      step(6, [0]),
    );
    const report = simulatePaging(trace, farthestNeed(trace), { budget: 40, targetShare: 1, events: true });
    expect(report.events).toEqual([{ kind: 'eviction', step: 4, page: 2, tokens: 10 }]);
    const tight = simulatePaging(trace, farthestNeed(trace), { budget: 20, targetShare: 1 });
    expect(tight.faults).toBeGreaterThan(0);
  });

  it('faults no more than any policy, with pages of one size that go one by one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 12 }), { minLength: 5, maxLength: 50 }),
        fc.integer({ min: 3, max: 9 }),
        async (backs, budget) => {
          const trace = await traceOf(backs.map((back) => ({ size: 1, back })));
          const setup = { budget, targetShare: 1 };
          const least = simulatePaging(trace, farthestNeed(trace), setup).faults;
          for (const make of Object.values(POLICIES)) {
            expect(simulatePaging(trace, make(), setup).faults).toBeGreaterThanOrEqual(least);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a grid', () => {
  it('has a row for each policy and budget, and for what knows the needs to come', async () => {
    const trace = await traceOf(Array.from({ length: 20 }, (_, n) => ({ size: 10, back: n % 7 })));
    const rows = [...runGrid(trace, { policies: [fifo, lru], budgets: [{ tokens: 50 }, { share: 0.4 }] })];
    expect(rows.map(({ policy, budget }) => `${policy} ${budget}`)).toEqual(
      [50, 80].flatMap((budget) =>
        ['fifo', 'lru', 'farthest-need', 'farthest-need-by-size'].map((name) => `${name} ${budget}`),
      ),
    );
    expect(tokensOf(trace, { share: 0.25 })).toBe(50);
    expect(rows[0]?.report).toEqual(simulatePaging(trace, fifo(), { budget: 50 }));
  });

  it.each([
    ['25%', { share: 0.25 }],
    ['32000', { tokens: 32_000 }],
    ['32k', { tokens: 32_000 }],
    ['1.5K', { tokens: 1_500 }],
  ])('takes %s for a budget', (text, choice) => {
    expect(budgetChoice(text)).toEqual(choice);
  });

  it.each(['', '0', '-5', '120%', '32kb', 'much'])(
    'takes "%s" for none, and says what one looks like',
    (text) => {
      expect(() => budgetChoice(text)).toThrow(
        expect.objectContaining({ code: 'E_CONFIG', hint: expect.stringContaining('32k') }),
      );
    },
  );
});
