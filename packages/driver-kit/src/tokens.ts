import { createRequire } from 'node:module';

/**
 * Counts tokens of text. Never throws, whatever the text. Costs time in proportion to its length; on
 * text with unbroken runs longer than `MAX_RUN` the count is an upper bound, else it is exact.
 */
export interface TokenCounter {
  count(text: string): number;
}

/**
 * The tokenizer merges pairs inside one unbroken run in quadratic time (50,000 times 'a' takes seconds),
 * so longer runs are cut. Code units; no natural word is as long, Chinese and base64 lose under 1 %.
 */
const MAX_RUN = 256;

/** Added for each cut, so that the sum over the pieces is not less than the count of the whole. */
const TOKENS_PER_CUT = 1;

/** What OpenAI's models since GPT-4o use, and what its embedding models use. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** The tables are loaded at the first count (about 0.5 s). */
export function createTokenCounter(encoding: Encoding = 'o200k_base'): TokenCounter {
  let encode: ((text: string) => number) | undefined;
  return {
    count(text) {
      if (text === '') return 0;
      encode ??= loadEncoding(encoding);
      return countBounded(text, encode);
    },
  };
}

interface Vocabulary {
  countTokens(text: string, options: { disallowedSpecial: ReadonlySet<string> }): number;
}

// `require`, since a count is synchronous and the tables must not be loaded by those who never count.
function loadEncoding(encoding: Encoding): (text: string) => number {
  const require = createRequire(import.meta.url);
  const { countTokens } = require(`gpt-tokenizer/encoding/${encoding}`) as Vocabulary;
  // Without it, text that holds `<|endoftext|>` throws.
  const plainText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, plainText);
}

function countBounded(text: string, encode: (text: string) => number): number {
  let total = 0;
  let start = 0;
  for (const cut of cutsOfLongRuns(text)) {
    total += encode(text.slice(start, cut)) + TOKENS_PER_CUT;
    start = cut;
  }
  return total + encode(start === 0 ? text : text.slice(start));
}

/** Where to cut so that no run of white space or of anything else is longer than `MAX_RUN`. */
function cutsOfLongRuns(text: string): number[] {
  const cuts: number[] = [];
  let start = 0;
  let inSpace = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const space = code <= 32 || code === 0xa0 || code === 0x3000;
    if (space !== inSpace) {
      start = at;
      inSpace = space;
    } else if (at - start >= MAX_RUN && !isLowSurrogate(code)) {
      cuts.push(at);
      start = at;
    }
  }
  return cuts;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
