import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossings, type Line, rankingAt } from '../../src/index.js';

const line = (name: string, fixed: number, slope: number): Line => ({ name, fixed, slope });

describe('where rankings flip', () => {
  it('is where lines cross, told with the place that changes hands', () => {
    const lines = [line('keeps', 10, 100), line('evicts', 30, 20), line('dear', 200, 0)];
    // 10 + 100 r = 30 + 20 r at r = .25
    expect(crossings(lines, 0.01, 1)).toEqual([{ at: 0.25, below: 'keeps', above: 'evicts', place: 1 }]);
  });

  it('is nowhere between lines that run side by side, and not at the ends', () => {
    expect(crossings([line('a', 1, 5), line('b', 2, 5)], 0, 1)).toEqual([]);
    expect(crossings([line('a', 0, 2), line('b', 1, 1)], 0, 1)).toEqual([]);
  });

  it('ranks what costs the same in one place, and passes over the next', () => {
    expect(
      rankingAt([line('c', 9, 0), line('a', 1, 1), line('b', 2, 0)], 1).map(({ name, place }) => [
        name,
        place,
      ]),
    ).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 3],
    ]);
  });

  const lines = fc.array(fc.record({ fixed: fc.nat(1_000), slope: fc.nat(1_000) }), {
    minLength: 2,
    maxLength: 8,
  });
  const named = (given: readonly { readonly fixed: number; readonly slope: number }[]) =>
    given.map(({ fixed, slope }, at) => line(`p${at}`, fixed, slope));
  const orderAt = (some: readonly Line[], ratio: number) =>
    rankingAt(some, ratio)
      .map(({ name, place }) => `${place} ${name}`)
      .toSorted();

  it('is complete: between two flips that follow each other no ranking changes', () => {
    fc.assert(
      fc.property(
        lines,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        (given, parts) => {
          const some = named(given);
          const stops = [0.01, ...crossings(some, 0.01, 1).map(({ at }) => at), 1];
          for (const [n, from] of stops.slice(0, -1).entries()) {
            const width = (stops[n + 1] ?? from) - from;
            if (width < 1e-6) continue;
            const rankings = parts.map((part) => orderAt(some, from + width * (0.1 + 0.8 * part)));
            expect(rankings[1]).toEqual(rankings[0]);
            expect(rankings[2]).toEqual(rankings[0]);
          }
        },
      ),
    );
  });

  it('is true: each flip turns two policies round', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const some = named(given);
        for (const { at, below, above } of crossings(some, 0, 1)) {
          const pair = some.filter(({ name }) => name === below || name === above);
          expect(rankingAt(pair, at - 1e-4)[0]?.name).toBe(below);
          expect(rankingAt(pair, at + 1e-4)[0]?.name).toBe(above);
        }
      }),
    );
  });
});
