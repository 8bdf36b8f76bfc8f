import type { Message, Part } from '@pagefault/contracts';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countPieces, createTokenCounter, imageTokens } from '../src/index.js';

const counter = createTokenCounter();
const exact = (text: string): number => countTokens(text, { disallowedSpecial: new Set<string>() });

function message(...parts: Part[]): Message {
  return { id: 'm1', role: 'user', parts, at: 0 };
}

function countOf(...parts: Part[]): number {
  return countPieces(counter, [{ kind: 'message', message: message(...parts) }])[0] ?? Number.NaN;
}

describe('a token counter', () => {
  it('counts ordinary text exactly', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 100 }).filter((text) => text.length <= 256),
        (text) => {
          expect(counter.count(text)).toBe(exact(text));
        },
      ),
    );
  });

  it('counts literals of special tokens as plain text (A31)', () => {
    expect(counter.count('a <|endoftext|> b <|im_start|>')).toBeGreaterThan(6);
  });

  it('never throws, not even on lone surrogates', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 600 }),
        fc.constantFrom('\ud800', '\udfff', ''),
        (text, lone) => {
          expect(counter.count(text + lone)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('never counts less than the tokenizer, also on unbroken runs', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', 'ab', 'the', 'Z', '9', '/', '=', ' ', '\n', ' \n', '天地', 'é', '😀', '👩‍👩‍👧'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 7 }),
    );
    const run = fc.tuple(unit, fc.integer({ min: 1, max: 700 })).map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 4 }), (runs) => {
        const text = runs.join('');
        expect(counter.count(text)).toBeGreaterThanOrEqual(exact(text));
      }),
      { numRuns: 300 },
    );
  });

  it('loses little on long unbroken text', () => {
    const chinese = '天地玄黄宇宙洪荒日月盈昃'.repeat(500);
    expect(counter.count(chinese)).toBeLessThan(exact(chinese) * 1.02);
  });

  it('cuts a run that the tokenizer would merge in quadratic time', () => {
    // Whole, 'a' times five million takes hours; this test would run into its time limit.
    expect(counter.count('a'.repeat(5_000_000))).toBeGreaterThan(500_000);
  });
});

describe('counting pieces', () => {
  it('counts tools, system and messages, one number each (A34)', () => {
    const tool = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
    const counts = countPieces(counter, [
      { kind: 'tools', tools: [tool] },
      { kind: 'tools', tools: [] },
      { kind: 'system', text: 'You are brief.' },
      { kind: 'message', message: message({ type: 'text', text: 'Hello' }) },
    ]);
    expect(counts[0]).toBeGreaterThan(exact(JSON.stringify(tool)));
    expect(counts[1]).toBe(0);
    expect(counts[2]).toBeGreaterThanOrEqual(exact('You are brief.') + 7);
    expect(counts[3]).toBeGreaterThanOrEqual(exact('Hello') + 4);
  });

  it('prices an image by its pixels and not by its bytes (A32)', () => {
    const data = 'A'.repeat(4_000_000);
    expect(countOf({ type: 'image', mediaType: 'image/png', data })).toBeLessThan(1_500);
    expect(imageTokens({ width: 512, height: 512 })).toBe(255);
    expect(imageTokens({ width: 1024, height: 1024 })).toBe(765);
    expect(imageTokens({ width: 2048, height: 4096 })).toBe(1105);
    expect(imageTokens({ width: 100_000, height: 1 })).toBeLessThanOrEqual(imageTokens({}));
  });

  it('counts an empty result as the text that stands in for it (A10)', () => {
    const result = { type: 'result', callId: 'c1', name: 'mkdir' } as const;
    expect(countOf({ ...result, text: '' })).toBe(countOf({ ...result, text: '(no output)' }));
  });

  it('leaves thinking out only where it is not sent back', () => {
    const pieces = [
      { kind: 'message', message: message({ type: 'thinking', text: 'hm '.repeat(100) }) },
    ] as const;
    expect(countPieces(counter, pieces)[0]).toBeGreaterThan(100);
    expect(countPieces(counter, pieces, { thinkingIsSent: false })[0]).toBeLessThan(10);
  });
});
