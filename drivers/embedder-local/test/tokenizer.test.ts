import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { tokenize, UNKNOWN } from '../src/text/tokenizer.js';
import type { PieceNode } from '../src/text/vocabulary.js';
import { loadVocabulary } from './support.js';

/** Computed with the reference tokenizer of the model. */
const REFERENCE: readonly (readonly [text: string, ids: readonly number[]])[] = [
  ['Hello, world!', [341, 4125, 8, 311, 78]],
  [
    'My name is Ada and I breed alpacas in Cork.',
    [404, 440, 18, 74, 745, 12, 16, 3433, 1730, 818, 739, 7, 15, 2764, 173, 6],
  ],
  ['café №5', [976, 209, 1133, 262, 411]],
  ['日本 alpaca', [30, 0, 1730, 818, 739]],
  ['🙂🙂 ok 🙂', [30, 0, 2303, 30, 0]],
  [
    'unbelievably antidisestablishmentarianism',
    [228, 2681, 349, 278, 1642, 1531, 3175, 281, 1112, 2873, 284, 3619, 639],
  ],
  ['at 10:00 or 10:30', [38, 320, 5920, 39, 320, 4177]],
  ['ﬁne ﬂour ½', [839, 7160, 207, 7935, 288]],
  ['a\u0000b', [11, 0, 151]],
  ['x', [649]],
];

describe('the tokenizer', () => {
  let vocabulary: PieceNode;
  beforeAll(async () => {
    vocabulary = await loadVocabulary();
  });

  it.each(REFERENCE)('spells %j as the reference does', (text, ids) => {
    expect(tokenize(vocabulary, text)).toEqual(ids);
  });

  it('takes white space of any kind and length as one space', () => {
    const plain = tokenize(vocabulary, 'alpacas live in Cork');
    expect(tokenize(vocabulary, ' \talpacas\r\nlive  in\u00a0Cork\u3000\n')).toEqual(plain);
  });

  it('gives nothing for white space only', () => {
    expect(tokenize(vocabulary, ' \t\n\u00a0\u3000')).toEqual([]);
  });

  it('takes composed and decomposed letters as the same', () => {
    expect(tokenize(vocabulary, 'cafe\u0301')).toEqual(tokenize(vocabulary, 'caf\u00e9'));
  });

  it('never throws, gives known ids and never two unknowns in a row, whatever the text', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 2000 });
    fc.assert(
      fc.property(anything, fc.string({ unit: fc.constantFrom('\ud800', 'a', ' ', '\u0000') }), (a, b) => {
        const ids = tokenize(vocabulary, a + b);
        expect(ids.every((id) => id >= 0 && id < 8000)).toBe(true);
        expect(ids.some((id, i) => id === UNKNOWN && ids[i - 1] === UNKNOWN)).toBe(false);
      }),
    );
  });

  it('spells each word alike wherever it stands', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(isWord));
    fc.assert(
      fc.property(words, (some) => {
        const apart = some.flatMap((word) => tokenize(vocabulary, word));
        expect(tokenize(vocabulary, some.join(' '))).toEqual(apart);
      }),
    );
  });

  it('looks at each symbol of 27 kB a bounded number of times', () => {
    let lookUps = 0;
    const counted = countLookUps(vocabulary, () => lookUps++);
    const text = 'Alpaca wool is warm. '.repeat(1300);
    tokenize(counted, text);
    expect(lookUps).toBeGreaterThan(text.length / 2);
    expect(lookUps).toBeLessThan(text.length * 17);
  });

  it('cuts a word of a million letters and a run of 20,000 combining marks', () => {
    expect(tokenize(vocabulary, 'ab1x'.repeat(250_000)).length).toBeGreaterThan(250_000);
    expect(tokenize(vocabulary, `a${'\u0301\u0316'.repeat(10_000)}`).length).toBeGreaterThan(0);
  });
});

function isWord(text: string): boolean {
  return !/\s/u.test(text.normalize('NFKC'));
}

function countLookUps(node: PieceNode, count: () => void): PieceNode {
  const next = new Map([...node.next].map(([symbol, child]) => [symbol, countLookUps(child, count)]));
  const get = next.get.bind(next);
  next.get = (symbol) => {
    count();
    return get(symbol);
  };
  return { ...node, next };
}
