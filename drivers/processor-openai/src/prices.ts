import type { TokenPrices, TokenRates } from '@pagefault/contracts';
import { findPrices } from '@pagefault/driver-kit';

/** The day on which the list was compared with the provider's page. */
const AS_OF = '2026-11-05';

/** Longer requests to the large models of 2026 cost more, all of it. */
const LONG = 272_000;

/** What these models write to the cache costs as much as other input. */
function rates(input: number, cached: number, output: number): TokenRates {
  return { input, cached, written: input, output };
}

function twoBands(short: TokenRates, long: TokenRates): Omit<TokenPrices, 'asOf'> {
  return { ...short, long: { above: LONG, ...long } };
}

/**
 * US dollars per million tokens as the provider's page lists them (standard tier). Models that read no cache for less have
 * the input's price for it. Options go before this list: it is a convenience, and only the provider's bill is right.
 */
export const PRICES: Readonly<Record<string, Omit<TokenPrices, 'asOf'>>> = {
  'gpt-4': rates(30, 30, 60),
  'gpt-4-turbo': rates(10, 10, 30),
  'gpt-4.1': rates(2, 0.5, 8),
  'gpt-4.1-mini': rates(0.4, 0.1, 1.6),
  'gpt-4.1-nano': rates(0.1, 0.025, 0.4),
  'gpt-4o': rates(2.5, 1.25, 10),
  'gpt-4o-2024-05-13': rates(5, 5, 15),
  'gpt-4o-mini': rates(0.15, 0.075, 0.6),
  'gpt-5': rates(1.25, 0.125, 10),
  'gpt-5-mini': rates(0.25, 0.025, 2),
  'gpt-5-nano': rates(0.05, 0.005, 0.4),
  'gpt-5-pro': rates(15, 15, 120),
  'gpt-5-chat': rates(1.25, 0.125, 10),
  'gpt-5.1': rates(1.25, 0.125, 10),
  'gpt-5.1-chat': rates(1.25, 0.125, 10),
  'gpt-5.2': rates(1.75, 0.175, 14),
  'gpt-5.2-chat': rates(1.75, 0.175, 14),
  'gpt-5.2-pro': rates(21, 21, 168),
  'gpt-5.4': twoBands(rates(2.5, 0.25, 15), rates(5, 0.5, 22.5)),
  'gpt-5.4-mini': rates(0.75, 0.075, 4.5),
  'gpt-5.4-nano': rates(0.2, 0.02, 1.25),
  'gpt-5.5': twoBands(rates(5, 0.5, 30), rates(10, 1, 45)),
  o1: rates(15, 7.5, 60),
  'o1-mini': rates(1.1, 0.55, 4.4),
  o3: rates(2, 0.5, 8),
  'o3-mini': rates(1.1, 0.55, 4.4),
  'o3-pro': rates(20, 20, 80),
  'o4-mini': rates(1.1, 0.275, 4.4),
};

export function pricesOfModel(model: string): TokenPrices | undefined {
  const prices = findPrices(PRICES, model);
  return prices && { ...prices, asOf: AS_OF };
}
