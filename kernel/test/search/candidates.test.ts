import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidates, rankInContext } from '../../src/core/search/index.js';
import { collect, ordinalsOf } from './collection.js';

const words = ['alpaca', 'cork', 'river'];
const turns = fc.array(
  fc.record({
    text: fc.array(fc.constantFrom(...words, 'x9', 'y9'), { maxLength: 5 }).map((list) => list.join(' ')),
    session: fc.constantFrom('one', 'two'),
  }),
  { maxLength: 30 },
);

describe('candidates', () => {
  it('are all that has a term in its context, and their neighbours, when few', () => {
    const { postings, totals } = collect(Array.from({ length: 9 }, (_, i) => (i === 4 ? 'alpaca' : 'river')));
    const found = candidates(
      postings.filter(({ term }) => term === 'alpaca'),
      totals,
    );
    expect(found).toEqual({
      ordinals: [2, 3, 4, 5, 6],
      rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
      bound: 0,
      left: [],
    });
  });

  it('are none without postings', () => {
    expect(candidates([], { documents: 0, length: 0 })).toEqual({
      ordinals: [],
      rows: [],
      bound: 0,
      left: [],
    });
  });

  it('keep those with the rarer terms when there are too many', () => {
    const common = Array.from({ length: 400 }, (_, ordinal) => ({ term: 'alpaca', ordinal, count: 1 }));
    const rare = { term: 'lantern', ordinal: 450, count: 1 };
    const found = candidates([...common, rare], { documents: 500, length: 500 }, { limit: 1 });
    expect(found.ordinals).toEqual([450]);
    expect(found.bound).toBeGreaterThan(0);
  });

  it('keep what follows a hit before what leads to it', () => {
    const found = candidates(
      [{ term: 'alpaca', ordinal: 10, count: 1 }],
      { documents: 20, length: 20 },
      { limit: 2 },
    );
    expect(found.ordinals).toEqual([10, 11]);
  });

  it('never name more than the limit', () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 10 }), (given, limit) => {
        const { postings, totals } = collect(given);
        expect(candidates(postings, totals, { limit }).ordinals.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('leave nothing out that scores above the bound', () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 10 }), (given, limit) => {
        const { documents, postings, totals } = collect(given);
        const asked = postings.filter(({ term }) => words.includes(term));
        const { ordinals, bound } = candidates(asked, totals, { limit });
        const all = rankInContext({ terms: words, postings: asked, documents, totals });
        const better = all.filter(({ score }) => score > bound + 1e-9);
        for (const { ordinal } of better) expect(ordinals).toContain(ordinal);
      }),
    );
  });

  it('give those that they keep the scores of the full ranking, where others within reach are at hand', () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 10 }), (given, limit) => {
        const { documents, postings, totals } = collect(given);
        const asked = postings.filter(({ term }) => words.includes(term));
        const { ordinals, rows } = candidates(asked, totals, { limit });
        const all = rankInContext({ terms: words, postings: asked, documents, totals });
        const fetched = documents.filter(({ ordinal }) => rows.includes(ordinal));
        const some = rankInContext({ terms: words, postings: asked, documents: fetched, ordinals, totals });
        const whole = new Map(all.map(({ ordinal, score }) => [ordinal, score]));
        for (const { ordinal, score } of some)
          expect(score).toBeLessThanOrEqual((whole.get(ordinal) ?? 0) + 1e-9);
        fc.pre(fetched.length === documents.length);
        expect(some).toEqual(all.filter(({ ordinal }) => ordinals.includes(ordinal)));
      }),
    );
  });

  it('refuse positions that no dense numbering has', () => {
    const lying = [{ term: 'alpaca', ordinal: 2 ** 40, count: 1 }];
    const refused = (): unknown => candidates(lying, { documents: 1, length: 1 });
    expect(refused).toThrow(expect.objectContaining({ code: 'E_STORAGE' }) as Error);
  });

  it('hold for 100,000 messages that all have the word (gap 8)', () => {
    const postings = Array.from({ length: 100_000 }, (_, ordinal) => ({ term: 'alpaca', ordinal, count: 1 }));
    const found = candidates(postings, { documents: 100_000, length: 1_000_000 });
    expect(found.ordinals).toHaveLength(2000);
    expect(found.rows.length).toBeLessThanOrEqual(10_000);
    expect(ordinalsOf(found.ordinals.map((ordinal) => ({ ordinal, score: 0 }))).at(-1)).toBeGreaterThan(
      99_000,
    );
  });
});
