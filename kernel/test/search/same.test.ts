import type { IndexedDocument } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf, foldSame } from '../../src/core/search/index.js';

const document = (ordinal: number, digest?: string): IndexedDocument => ({
  ordinal,
  seq: ordinal + 1,
  ref: `m${ordinal}`,
  session: '',
  speaker: '',
  at: 0,
  length: 1,
  ...(digest !== undefined && { digest }),
});

describe('a digest', () => {
  it('is the same for a text said again, whatever the case, the white space and the full stop', () => {
    const said = digestOf('I breed alpacas in Cork.');
    for (const again of [
      'I breed  alpacas in Cork',
      'i BREED alpacas\nin cork!',
      'I breed alpacas in Cork…',
    ]) {
      expect(digestOf(again)).toBe(said);
    }
    expect(digestOf('Zoe\u0308')).toBe(digestOf('ZO\u00cb'));
  });

  it.each([
    ['It is 5 degrees', 'It is -5 degrees'],
    ['I like C', 'I like C++'],
    ['You like tea', 'You like tea?'],
    ['100%', '100'],
    ['设备', '设备清单'],
    ['MARKER_1777', 'MARKER_1778'],
  ])('tells %j from %j', (one, other) => {
    expect(digestOf(one)).not.toBe(digestOf(other));
  });

  it('tells the same words of two people apart', () => {
    expect(digestOf('Yes', ['user', 'Ada'])).not.toBe(digestOf('Yes', ['user', 'Bob']));
    expect(digestOf('b', ['a'])).not.toBe(digestOf('', ['a', 'b']));
  });
});

describe('what says the same', () => {
  it('is one result: where the best ranks, as the newest, with how many there are', () => {
    const ranked = [document(4, 'x'), document(7), document(9, 'x'), document(2, 'x'), document(3, 'y')];
    expect(foldSame(ranked)).toEqual([
      { ordinal: 9, times: 3 },
      { ordinal: 7, times: 1 },
      { ordinal: 3, times: 1 },
    ]);
  });

  it('loses nothing and invents nothing', () => {
    const documents = fc.uniqueArray(fc.tuple(fc.nat(50), fc.option(fc.constantFrom('x', 'y', 'z'))), {
      selector: ([ordinal]) => ordinal,
    });
    fc.assert(
      fc.property(documents, (given) => {
        const ranked = given.map(([ordinal, digest]) => document(ordinal, digest ?? undefined));
        const results = foldSame(ranked);
        expect(results.reduce((sum, { times }) => sum + times, 0)).toBe(ranked.length);
        const ordinals = new Set(given.map(([ordinal]) => ordinal));
        for (const { ordinal } of results) expect(ordinals.has(ordinal)).toBe(true);
        expect(new Set(results.map(({ ordinal }) => ordinal)).size).toBe(results.length);
      }),
    );
  });
});
