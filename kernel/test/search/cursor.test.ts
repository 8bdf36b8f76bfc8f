import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCursor, type SearchCursor, writeCursor } from '../../src/core/search-cursor.js';

const whole = fc.nat({ max: 2 ** 40 });
const ranking = fc.record({
  kind: fc.constant('ranking' as const),
  total: whole,
  shown: whole,
  wordMatch: fc.boolean(),
  unranked: whole,
  left: fc.array(fc.record({ ordinal: whole, times: fc.integer({ min: 1, max: 300 }) })),
});
const list = fc.record({
  kind: fc.constant('list' as const),
  total: whole,
  shown: whole,
  after: whole,
  through: whole,
});
const cursors: fc.Arbitrary<SearchCursor> = fc.oneof(ranking, list);

describe('a cursor', () => {
  it('reads as it was written, and is safe in an address', () => {
    fc.assert(
      fc.property(cursors, fc.string(), (cursor, query) => {
        const text = writeCursor(cursor, ['p1', query]);
        expect(text).toMatch(/^[\w.-]+$/);
        expect(readCursor(text, ['p1', query], cursor.kind)).toEqual(cursor);
      }),
    );
  });

  it('is of one search: another one refuses it', () => {
    const cursor = { kind: 'list', total: 3, shown: 1, after: 4, through: 9 } as const;
    const text = writeCursor(cursor, ['p1', 'alpaca']);
    expect(() => readCursor(text, ['p2', 'alpaca'], 'list')).toThrow('not of this search');
    expect(() => readCursor(text, ['p1', 'alpaca'], 'ranking')).toThrow('not of this search');
  });

  it('that is none is told, whatever it says', () => {
    const tag = writeCursor({ kind: 'list', total: 0, shown: 0, after: 0, through: 0 }, 'x').split('.')[0];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String().map((text) => `${tag}.${text}`),
        ),
        (text) => {
          try {
            const { total, shown } = readCursor(text, 'x', 'ranking');
            expect([total, shown].every(Number.isSafeInteger)).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({ code: 'E_INVALID' });
          }
        },
      ),
    );
  });

  it('takes some two bytes a result', () => {
    const left = Array.from({ length: 2_000 }, (_, i) => ({ ordinal: (i * 7919) % 100_000, times: 1 }));
    const text = writeCursor(
      { kind: 'ranking', total: 2_000, shown: 0, wordMatch: true, unranked: 0, left },
      'x',
    );
    expect(text.length).toBeLessThan(11_000);
  });
});
