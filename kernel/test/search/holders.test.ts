import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdersOf } from '../../src/core/search/holders.js';

const postings = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('alpaca', 'boat', 'Cork'), fc.nat(20), fc.integer({ min: 1, max: 9 })),
    {
      selector: ([term, ordinal]) => `${term} ${ordinal}`,
    },
  )
  .map((list) => list.map(([term, ordinal, count]) => ({ term, ordinal, count })));

describe('the holders of terms', () => {
  it('are the same in whatever order a store gives them: by term, then ascending', () => {
    fc.assert(
      fc.property(postings, (list) => {
        const expected = ['Cork', 'alpaca', 'boat'].flatMap((term) => {
          const own = list.filter((one) => one.term === term).toSorted((a, b) => a.ordinal - b.ordinal);
          const [ordinals, counts] = [own.map(({ ordinal }) => ordinal), own.map(({ count }) => count)];
          return own.length === 0 ? [] : [expect.objectContaining({ ordinals, counts })];
        });
        expect(holdersOf(list)).toEqual(expected);
      }),
    );
  });

  it('are those of the terms that are asked for', () => {
    const list = ['alpaca', 'boat', 'alpaca'].map((term, ordinal) => ({ term, ordinal, count: 1 }));
    expect(holdersOf(list, ['alpaca', 'Cork', 'alpaca'])).toMatchObject([
      { ordinals: [0, 2], counts: [1, 1] },
    ]);
  });
});
