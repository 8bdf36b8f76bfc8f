import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_BATCH_TOKENS, planBatches } from '../src/batches.js';
import { MAX_TOKENS } from '../src/model/facts.js';
import { tokenize } from '../src/text/tokenizer.js';
import type { PieceNode } from '../src/text/vocabulary.js';
import { MAX_WINDOWS, windowsOf } from '../src/text/windows.js';
import { loadVocabulary } from './support.js';

describe('windows', () => {
  let vocabulary: PieceNode;
  beforeAll(async () => {
    vocabulary = await loadVocabulary();
  });

  it('are one for a short text', () => {
    expect(windowsOf(vocabulary, 'Hello, world!')).toEqual([Int32Array.of(341, 4125, 8, 311, 78)]);
  });

  it('hold every token of a text of up to 64 windows once, in order (B32)', () => {
    const lengths = fc.integer({ min: 1, max: 4000 });
    fc.assert(
      fc.property(lengths, (words) => {
        const text = 'alpaca wool, '.repeat(words).slice(0, 16_000);
        const windows = windowsOf(vocabulary, text);
        expect(windows.flatMap((window) => [...window])).toEqual(tokenize(vocabulary, text));
      }),
      { numRuns: 30 },
    );
  });

  it('are equal in size but for one token, and never over 128', () => {
    for (const words of [127, 128, 129, 300, 1000]) {
      const sizes = windowsOf(vocabulary, 'the '.repeat(words)).map((window) => window.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_TOKENS);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });

  it('of 5 MB are 64, from its beginning to its end', () => {
    const text = `first ${'middle '.repeat(700_000)} last`;
    const windows = windowsOf(vocabulary, text);
    expect(windows).toHaveLength(MAX_WINDOWS);
    expect(windows[0]?.[0]).toBe(tokenize(vocabulary, 'first')[0]);
    expect(windows.at(-1)?.at(-1)).toBe(tokenize(vocabulary, 'last').at(-1));
  });

  it('of a word amid 5 MB of white space hold the word', () => {
    const space = ' '.repeat(2_500_000);
    const windows = windowsOf(vocabulary, `${space}alpaca${space}`);
    expect(windows).toEqual([Int32Array.from(tokenize(vocabulary, 'alpaca'))]);
  });
});

describe('batches', () => {
  it('hold each window once, within both limits, shortest first', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: MAX_TOKENS }), { maxLength: 200 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 40 }), (all, batchSize) => {
        const jobs = all.map((length, text) => ({ text, window: 'w', places: length, weight: 1 }));
        const batches = planBatches(jobs, batchSize);
        const places = batches.map((batch) => batch.length * Math.max(...batch.map((job) => job.places)));
        expect(Math.max(0, ...places)).toBeLessThanOrEqual(MAX_BATCH_TOKENS);
        expect(batches.every((batch) => batch.length <= batchSize)).toBe(true);
        expect(batches.flat().map((job) => job.places)).toEqual(all.toSorted((a, b) => a - b));
        expect(new Set(batches.flat())).toEqual(new Set(jobs));
      }),
    );
  });
});
