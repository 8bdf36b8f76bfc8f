import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CACHE_RULES,
  costOfCall,
  dollars,
  findPricesInBook,
  inputEquivalents,
  leastGap,
  NO_TOKENS,
  PRICE_BOOK,
  Prompt,
  PromptCache,
  ratiosOf,
  stepsToRepay,
} from '../../src/index.js';

const prompt = (...blocks: readonly (readonly [number, number])[]) => {
  const made = new Prompt();
  for (const [id, size] of blocks) made.append(id, size);
  return made;
};

describe('a prompt cache', () => {
  it('reads what the last request began with, and writes the rest', () => {
    const cache = new PromptCache();
    const request = prompt([0, 2_000], [1, 500]);
    expect(cache.request(request, 0)).toEqual({ read: 0, written: 2_500 });
    request.append(2, 100);
    expect(cache.request(request, 60_000)).toEqual({ read: 2_500, written: 100 });
    request.rewrite((id, size) => (id === 1 ? undefined : [id, size]));
    expect(cache.request(request, 120_000)).toEqual({ read: 2_000, written: 100 });
  });

  it('is cold after its time to live, and each use makes it live as long again', () => {
    const cache = new PromptCache();
    const request = prompt([0, 2_000]);
    cache.request(request, 0);
    expect(cache.request(request, 300_000).read).toBe(2_000);
    expect(cache.request(request, 600_000).read).toBe(2_000);
    expect(cache.request(request, 900_001).read).toBe(0);
  });

  it('knows what was sent before an edit, when it comes again', () => {
    const cache = new PromptCache();
    const request = prompt([0, 2_000], [1, 500]);
    cache.request(request, 0);
    request.rewrite((id, size) => (id === 1 ? undefined : [id, size]));
    cache.request(request, 1_000);
    request.append(1, 500);
    expect(cache.request(request, 2_000)).toEqual({ read: 2_500, written: 0 });
  });

  it('keeps no prefix that is too short, and whole granules only', () => {
    const short = prompt([0, 1_023]);
    const cache = new PromptCache();
    cache.request(short, 0);
    expect(cache.request(short, 1).read).toBe(0);
    const coarse = new PromptCache({ ...CACHE_RULES, granule: 128 });
    const long = prompt([0, 1_300]);
    coarse.request(long, 0);
    expect(coarse.request(long, 1)).toEqual({ read: 1_280, written: 20 });
  });

  /** Every prefix of every request, with the time of its last use. */
  class Remembering {
    readonly #used = new Map<string, number>();

    request(ids: readonly number[], sizes: readonly number[], now: number): number {
      const keys = ids.map((_, at) => ids.slice(0, at + 1).join());
      let read = 0;
      for (const [at, key] of keys.entries()) {
        if (now - (this.#used.get(key) ?? -Infinity) > 1_000) break;
        read += sizes[at] ?? 0;
      }
      for (const key of keys) this.#used.set(key, now);
      return read;
    }
  }

  it('does on any history what a cache does that remembers every prefix', () => {
    const op = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('append' as const), id: fc.nat({ max: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), id: fc.nat({ max: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('insert' as const), id: fc.nat({ max: 4 }) }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('request' as const), id: fc.constantFrom(1, 400, 1_500) }),
      },
    );
    fc.assert(
      fc.property(fc.array(op, { maxLength: 60 }), (ops) => {
        const cache = new PromptCache({ timeToLive: 1_000, least: 0, granule: 1 });
        const naive = new Remembering();
        const request = new Prompt();
        let now = 0;
        for (const { kind, id } of ops) {
          if (kind === 'append') request.append(id, id + 10);
          else if (kind === 'drop') request.rewrite((one, size) => (one === id ? undefined : [one, size]));
          else if (kind === 'insert') request.insert(0, id, id + 10);
          else {
            now += id;
            const read = naive.request(request.ids, request.sizes, now);
            expect(cache.request(request, now)).toEqual({ read, written: request.tokens - read });
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what tokens cost', () => {
  const tally = { read: 1_000_000, written: 100_000, plain: 10_000, output: 20_000 };

  it('is said in input-token equivalents, and in dollars', () => {
    const prices = findPricesInBook('claude-sonnet-5-5');
    expect(ratiosOf(prices)).toEqual({ read: 0.05, written: 1.25, output: 5 });
    expect(inputEquivalents(tally, ratiosOf(prices))).toBe(50_000 + 125_000 + 10_000 + 100_000);
    expect(dollars({ short: tally, long: NO_TOKENS }, prices)).toBeCloseTo(0.57, 10);
  });

  it('is five times as much above Haiku’s threshold, output included', () => {
    const prices = PRICE_BOOK['claude-haiku-5-5'];
    const short = dollars({ short: tally, long: NO_TOKENS }, prices);
    expect(dollars({ short: NO_TOKENS, long: tally }, prices)).toBeCloseTo(5 * short, 10);
  });

  it('lists the models of the book when another is asked for', () => {
    expect(() => findPricesInBook('gpt-2')).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', hint: expect.stringContaining('claude-opus-5-5') }),
    );
  });
});

describe('an eviction breaks even', () => {
  /** r and w; the least gap with nothing behind; steps to repay a dead page, per token behind; a fault at 150,000 tokens. */
  it.each([
    [1, 1, 1, 0, 150_500],
    [0.1, 1, 10, 9, 15_500],
    [0.1, 1.25, 12.5, 11.5, 15_500],
    [0.05, 1.25, 25, 24, 8_000],
    [0.025, 1.25, 50, 49, 4_250],
    [0.02, 1, 50, 49, 3_500],
  ])('at r %d and w %d after %d steps', (read, written, gap, repaid, fault) => {
    const ratios = { read, written, output: 5 };
    expect(leastGap(ratios)).toBeCloseTo(gap, 10);
    expect(stepsToRepay(ratios, 1_000, 1_000)).toBeCloseTo(repaid, 10);
    expect(costOfCall(ratios, 150_000, 100)).toBeCloseTo(fault, 6);
  });
});
