/**
 * Prices of models whose caches differ, for a question that only prices decide. The rows that a driver lists too are the
 * same there, which a test sees to; a bill is right, a price book only dated.
 */
import { PagefaultError, type TokenPrices, type TokenRates } from '@pagefault/contracts';

const rates = (input: number, written: number, cached: number, output: number): TokenRates => ({
  input,
  written,
  cached,
  output,
});

/** US dollars per million tokens: input, written to the cache, read from it, output. */
export const PRICE_BOOK = {
  'claude-fable-5-1': { asOf: '2026-11-05', ...rates(10, 12.5, 0.25, 50) },
  'claude-opus-5-5': { asOf: '2026-11-05', ...rates(4, 5, 0.2, 20) },
  'claude-sonnet-5-5': { asOf: '2026-11-05', ...rates(2, 2.5, 0.1, 10) },
  'claude-sonnet-5': { asOf: '2026-11-05', ...rates(2, 2.5, 0.2, 10) },
  'claude-haiku-5-5': {
    asOf: '2026-11-05',
    ...rates(0.1, 0.125, 0.01, 0.5),
    long: { above: 100_000, ...rates(0.5, 0.625, 0.05, 2.5) },
  },
  'gpt-6.2-sol': {
    asOf: '2026-11-29',
    ...rates(2, 2.5, 0.1, 10),
    long: { above: 272_000, ...rates(4, 5, 0.2, 15) },
  },
  'deepseek-flash': { asOf: '2026-11-29', ...rates(0.15, 0.15, 0.003, 0.6) },
  'gemini-4-neon': { asOf: '2026-11-29', ...rates(3, 3, 0.15, 15) },
} as const satisfies Record<string, TokenPrices>;

export type PricedModel = keyof typeof PRICE_BOOK;

/** Errors: `E_CONFIG` for a model that is not in the book, listing those that are. */
export function findPricesInBook(model: string): TokenPrices {
  const found = Object.entries(PRICE_BOOK).find(([known]) => known === model)?.[1];
  if (found) return found;
  throw new PagefaultError('E_CONFIG', `the price book has no model "${model}"`, {
    hint: `it has ${Object.keys(PRICE_BOOK).join(', ')}`,
  });
}
