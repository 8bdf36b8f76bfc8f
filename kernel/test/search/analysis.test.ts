import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse, analyseText, documentTerms } from '../../src/core/search/index.js';

const bytes = (term: string): number => Buffer.byteLength(term, 'utf8');
const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const mixedText = fc
  .array(
    fc.constantFrom(
      'the',
      'Café',
      'cafe\u0301',
      '设备',
      '수급자의',
      'a_b',
      '१२',
      '👍',
      "it's",
      '100%',
      ' ',
      '-',
      '.',
    ),
  )
  .map((words) => words.join(''));

describe('the analysis of text', () => {
  it('gives one form to all spellings of a word', () => {
    expect(analyse('CAFÉ')).toEqual(analyse('cafe\u0301'));
    expect(analyse('ﬁnance Ｓｔｒａßｅ')).toEqual(analyse('finance strasse'));
    expect(analyse('Łódź Øresund')).toEqual(analyse('lodz oresund'));
  });

  it('takes inflected forms for one word, irregular verbs too', () => {
    expect(analyse('researching adoption agencies')).toEqual(analyse('research adoptions agency'));
    expect(analyse('went bought')).toEqual(analyse('go buy'));
  });

  it('takes what is left of a contraction or possessive for a function word', () => {
    expect(analyse("Caroline’s don't")).toEqual(analyse('Caroline'));
  });

  it('keeps function words apart', () => {
    expect(analyseText('To be or not')).toEqual({ content: [], extra: ['to', 'be', 'or', 'not'] });
  });

  it('cuts scripts without spaces into pairs, and Hangul too (D01)', () => {
    expect(analyse('设备清单')).toEqual(['设备', '备清', '清单']);
    expect(analyse('수급자의')).toEqual(expect.arrayContaining([...analyse('수급자')]));
  });

  it('keeps a lone character as a term, and the characters of a run beside its pairs (D03)', () => {
    expect(analyseText('猫')).toEqual({ content: ['猫'], extra: [] });
    expect(analyseText('黑猫').extra).toEqual(['黑', '猫']);
    expect(analyse('猫 狗')).toEqual(['猫', '狗']);
  });

  it('divides a run of several scripts where the script changes (D03)', () => {
    expect(analyse('用户db飞书')).toEqual(['用户', 'db', '飞书']);
  });

  it('keeps vowel signs, which tell words apart outside Latin', () => {
    expect(analyse('कि')).not.toEqual(analyse('का'));
  });

  it.each([
    'MARKER_1777',
    '550e8400-e29b-41d4-a716-446655440000',
    '2024-03-15',
    'ada@example.org',
    '100%',
    'C++',
    '3.5',
  ])('has %s as a whole, and its parts', (name) => {
    expect(analyse(`(${name})`)[0]).toBe(name.toLowerCase());
    expect(analyse(name.split(/[^a-z0-9]/i)[0] ?? '').every((part) => analyse(name).includes(part))).toBe(
      true,
    );
  });

  it('takes marks between plain words for prose', () => {
    expect(analyse('cats/dogs, e.g. well-known')).toEqual(['cat', 'dog', 'well', 'know']);
  });

  it.each(['', ' ', '!', '\\', '%', '_', '___', "'", '& | ( )', '\u0301', '\ud800', '\0'])(
    'finds nothing in %j and does not mind (D04, D08)',
    (text) => {
      expect(documentTerms(text, 0)).toEqual({ length: 0, terms: [] });
    },
  );

  it('never throws, and no term is empty or over 128 bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          mixedText,
          anyText.map((text) => text.repeat(50)),
        ),
        (text) => {
          for (const [term, count] of documentTerms(text).terms) {
            expect(bytes(term)).toBeGreaterThan(0);
            expect(bytes(term)).toBeLessThanOrEqual(128);
            expect(term.isWellFormed?.() ?? true).toBe(true);
            expect(count).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  it('counts each content term into the length and nothing else', () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const { content, extra } = analyseText(text);
        const { length, terms } = documentTerms(text);
        expect(length).toBe(content.length);
        expect(terms.reduce((sum, [, count]) => sum + count, 0)).toBe(content.length + extra.length);
        expect(new Set(terms.map(([term]) => term)).size).toBe(terms.length);
      }),
    );
  });

  it('cuts a long word between code points', () => {
    expect(analyse(`${'é'.repeat(10)}${'ж'.repeat(200)}`).map(bytes)).toEqual([128]);
    expect(analyse('𐐨'.repeat(40))).toEqual(['𐐨'.repeat(32)]);
    expect(analyse(`x${'𐐨'.repeat(40)}`)).toEqual([`x${'𐐨'.repeat(31)}`]);
  });

  it.each([
    ['one letter', 'a'],
    ['one character of a script without spaces', '用'],
    ['one mark', '\u0301'],
    ['a letter with its mark', 'क्'],
    ['joined words', 'a1-'],
    ['a mark that joins nothing', '-'],
    ['pairs outside the basic plane', '𠀀'],
  ])('takes 2,500,000 of %s without giving up', (_, unit) => {
    const text = `a${unit.repeat(2_500_000)}`;
    expect(documentTerms(text).terms.length).toBeLessThan(10);
  });

  it('puts the day in, as a reader would write it, where there is text', () => {
    const at = Date.UTC(2023, 4, 8, 23, 59);
    const terms = new Map(documentTerms('hello', at).terms);
    for (const term of analyse('8 May 2023')) expect(terms.has(term)).toBe(true);
    expect(documentTerms('hello', at).length).toBe(4);
    expect(documentTerms('hello', Number.NaN)).toEqual(documentTerms('hello'));
  });
});
