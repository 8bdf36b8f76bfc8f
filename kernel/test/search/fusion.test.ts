import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse, type Ranked } from '../../src/core/search/index.js';
import { ordinalsOf } from './collection.js';

const hits = (...scores: readonly (readonly [number, number])[]): readonly Ranked[] =>
  scores.map(([ordinal, score]) => ({ ordinal, score }));
const arm = fc
  .uniqueArray(fc.tuple(fc.nat(30), fc.double({ min: 0, max: 40, noNaN: true })), {
    selector: ([ordinal]) => ordinal,
  })
  .map((list) => hits(...list).toSorted((a, b) => b.score - a.score || a.ordinal - b.ordinal));

describe('fusion', () => {
  it('adds the scores of both arms, each normalised over the candidates', () => {
    // Text 3, 1: z 1, -1. Vectors .2, .8: z -1, 1 at a weight of .5.
    expect(fuse(hits([0, 3], [1, 1]), hits([0, 0.2], [1, 0.8]), { weight: 0.5 })).toEqual([
      { ordinal: 0, score: expect.closeTo(0.5, 9) as number },
      { ordinal: 1, score: expect.closeTo(-0.5, 9) as number },
    ]);
  });

  it('takes 0 in the text arm and the farthest in the vector arm for what an arm does not know', () => {
    const scores = new Map(
      fuse(hits([0, 4]), hits([1, 0.9], [2, 0.1]), { weight: 1 }).map(({ ordinal, score }) => [
        ordinal,
        score,
      ]),
    );
    // Text 4, 0, 0: z 1.414, -.707, -.707. Vectors .9, .1: z 1, -1, and -1 for the unknown one.
    expect(scores.get(0)).toBeCloseTo(Math.SQRT2 - 1, 9);
    expect(scores.get(1)).toBeCloseTo(1 - Math.SQRT1_2, 9);
    expect(scores.get(2)).toBeCloseTo(-1 - Math.SQRT1_2, 9);
  });

  it('prefers the nearest whose speaker the question names, and no others', () => {
    const near = hits([0, 0.9], [1, 0.5], [2, 0.1]);
    const plain = new Map(fuse([], near).map(({ ordinal, score }) => [ordinal, score]));
    const named = fuse([], near, { preferred: new Set([1, 7]) });
    for (const { ordinal, score } of named)
      expect(score - (plain.get(ordinal) ?? 0)).toBeCloseTo(ordinal === 1 ? 0.4 * 1.5 : 0, 9);
  });

  it('keeps the only exact hit of the text arm above many near ones', () => {
    const near = hits(...Array.from({ length: 50 }, (_, i) => [i, 0.6 - i / 1000] as const));
    expect(fuse(hits([77, 12]), near)[0]?.ordinal).toBe(77);
  });

  it('gives the order of one arm when the other is empty', () => {
    fc.assert(
      fc.property(arm, (ranking) => {
        const close = ordinalsOf(ranking);
        expect(new Set(ordinalsOf(fuse(ranking, [])))).toEqual(new Set(close));
        fc.pre(wellApart(ranking));
        expect(ordinalsOf(fuse(ranking, []))).toEqual(close);
        expect(ordinalsOf(fuse([], ranking))).toEqual(close);
      }),
    );
  });

  it('gives the order of the text arm when the vectors cannot tell its candidates apart', () => {
    fc.assert(
      fc.property(arm.filter(wellApart), (ranking) => {
        const same = ranking.map(({ ordinal }) => ({ ordinal, score: 0.1 + 0.2 }));
        expect(ordinalsOf(fuse(ranking, same))).toEqual(ordinalsOf(ranking));
      }),
    );
  });

  it('passes over scores that are no numbers', () => {
    const broken = hits([0, Number.NaN], [1, Infinity], [2, -Infinity]);
    expect(fuse(hits([1, 2], [0, 1]), broken)).toEqual(fuse(hits([1, 2], [0, 1]), []));
  });

  it('is the same for two stores whose similarities differ in the last bits (invariant 7)', () => {
    const words = fc
      .uniqueArray(fc.tuple(fc.nat(30), fc.nat(40)), { selector: ([ordinal]) => ordinal })
      .map((list) => hits(...list.map(([ordinal, step]) => [ordinal, step / 7] as const)));
    const similarity = fc.nat(40).map((step) => 0.5 + step / 1_000);
    const noise = fc.double({ min: -1e-7, max: 1e-7, noNaN: true });
    const vectors = fc.uniqueArray(fc.tuple(fc.nat(30), similarity, noise, noise), {
      selector: ([ordinal]) => ordinal,
    });
    fc.assert(
      fc.property(words, vectors, (text, list) => {
        const [one, other] = [2, 3].map((store) =>
          list.map((entry) => ({ ordinal: entry[0], score: entry[1] + (entry[store] ?? 0) })),
        );
        expect(ordinalsOf(fuse(text, one ?? []))).toEqual(ordinalsOf(fuse(text, other ?? [])));
      }),
    );
    // A message and one that quotes it.
    expect(ordinalsOf(fuse([], hits([4, 0.8], [7, 0.8 + 1e-7], [9, 0.3])))).toEqual([4, 7, 9]);
    expect(ordinalsOf(fuse([], hits([4, 0.8 + 1e-7], [7, 0.8], [9, 0.3])))).toEqual([4, 7, 9]);
  });

  it('does not hang on where a store cut those that are equally far', () => {
    const text = hits([2, 5], [3, 4]);
    const near = [...hits([0, 0.9], [1, 0.7])];
    const one = fuse(text, [...near, ...hits([2, 0.5], [3, 0.5])], { nearest: 4 });
    const other = fuse(text, [...near, ...hits([3, 0.5 + 1e-7], [8, 0.5])], { nearest: 4 });
    expect(ordinalsOf(other)).toEqual(ordinalsOf(one));
    expect(ordinalsOf(one).toSorted()).toEqual([0, 1, 2, 3]);
    expect(ordinalsOf(fuse([], hits([1, 0.5], [2, 0.5]), { nearest: 2 }))).toEqual([1, 2]);
  });

  it('has no candidate twice, loses none and invents none', () => {
    fc.assert(
      fc.property(arm, arm, (text, vector) => {
        const fused = ordinalsOf(fuse(text, vector));
        expect(fused.toSorted((a, b) => a - b)).toEqual(
          [...new Set([...ordinalsOf(text), ...ordinalsOf(vector)])].toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it('does not depend on the order of its input, and settles ties by ordinal', () => {
    fc.assert(
      fc.property(arm, arm, (text, vector) => {
        expect(fuse(text.toReversed(), vector.toReversed())).toEqual(fuse(text, vector));
      }),
    );
    expect(ordinalsOf(fuse(hits([9, 1], [3, 1], [5, 1]), []))).toEqual([3, 5, 9]);
  });

  it('is empty when both arms are', () => {
    expect(fuse([], [])).toEqual([]);
  });
});

// Scores that differ by less than stores do may change places.
function wellApart(ranking: readonly Ranked[]): boolean {
  const scores = [0, ...ranking.map(({ score }) => score)].toSorted((a, b) => a - b);
  return scores.every((score, i) => i < 2 || score - (scores[i - 1] ?? 0) > 1e-4);
}
