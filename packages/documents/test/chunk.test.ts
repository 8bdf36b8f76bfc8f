import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText } from '../src/index.js';
import { isInsidePair } from '../src/boundaries.js';

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const codePoints = (text: string) => [...text].length;
const texts = (text: string, maxTokens: number, count = words, overlap = 0) =>
  chunkText(text, { maxTokens, count, overlap }).map((chunk) => chunk.text);

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\n', '\n\n', '\n# ', '. ', '。', '! ', ' ', '😀', '....', 'word', '\uD83D', '\t\n \n'),
);
const document = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));

describe('chunking a text', () => {
  it('covers it with chunks that are in order, not empty, within the limit, and cut no code point', () => {
    fc.assert(
      fc.property(
        document,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(19),
        fc.boolean(),
        (text, max, lap, byWord) => {
          const count = byWord ? words : codePoints;
          const overlap = Math.min(lap, Math.ceil(max / 2) - 1);
          const chunks = chunkText(text, { maxTokens: max, overlap, count });
          let covered = 0;
          let last = -1;
          for (const { start, end, text: part } of chunks) {
            expect(part).toBe(text.slice(start, end));
            expect(part.trim()).not.toBe('');
            expect(count(part)).toBeLessThanOrEqual(max);
            expect(isInsidePair(text, start) || isInsidePair(text, end)).toBe(false);
            expect(start).toBeGreaterThan(last);
            expect(end).toBeGreaterThan(covered);
            if (start > covered) expect(text.slice(covered, start).trim()).toBe('');
            last = start;
            covered = end;
          }
          expect(text.slice(covered).trim()).toBe('');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps the limit also with a counter whose counts do not add up', () => {
    const count = (part: string) => Math.ceil(part.length * 1.2) + (part.includes('\n') ? 3 : 0);
    fc.assert(
      fc.property(document, (text) => {
        for (const part of texts(text, 12, count, 5)) expect(count(part)).toBeLessThanOrEqual(12);
      }),
    );
  });

  it('leaves a text whole that fits', () => {
    expect(texts('# A\n\nOne. Two.', 10)).toEqual(['# A\n\nOne. Two.']);
  });

  it('gives nothing for white space', () => {
    expect(texts(' \n\n ', 4)).toEqual([]);
  });

  it('cuts before a heading rather than between paragraphs', () => {
    expect(texts('# A\n\na b c\n\n# B\n\nd e\n\nf g', 9)).toEqual(['# A\n\na b c', '# B\n\nd e\n\nf g']);
  });

  it('cuts between sentences rather than words', () => {
    expect(texts('One two three. Four five six seven. Eight nine.', 8)).toEqual([
      'One two three. Four five six seven.',
      'Eight nine.',
    ]);
    expect(texts('一二三。四五六。七八九。', 8, codePoints)).toEqual(['一二三。四五六。', '七八九。']);
  });

  it('cuts between words where a sentence is too long', () => {
    expect(texts('a b c d e f g h', 4)).toEqual(['a b c d', 'e f g h']);
  });

  it('repeats the end of a chunk at the start of the next when an overlap is asked for', () => {
    expect(texts('a. b. c. d. e. f.', 4, words, 1)).toEqual(['a. b. c. d.', 'd. e. f.']);
  });

  it('stays linear on five megabytes without a space, and on five of full stops', () => {
    for (const text of ['x'.repeat(5_000_000), '.'.repeat(5_000_000)]) {
      expect(chunkText(text, { maxTokens: 1000, count: (part) => part.length })).not.toHaveLength(0);
    }
  });

  it('refuses limits that make no sense', () => {
    expect(() => texts('a', 0)).toThrow('maxTokens is 0');
    expect(() => texts('a', 4, words, 2)).toThrow(
      'overlap is 2; it must be from 0 to under half of maxTokens, 4',
    );
    expect(() => texts('😀', 1, (part) => Buffer.byteLength(part))).toThrow(
      'the character "😀" alone has 4 tokens',
    );
  });
});
