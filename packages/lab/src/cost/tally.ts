/** Tokens by how they are billed, and what they cost. */
import type { TokenPrices, TokenRates, Tokens } from '@pagefault/contracts';

export interface TokenTally {
  /** Read from the provider's cache. */
  readonly read: Tokens;
  /** Written to it. */
  readonly written: Tokens;
  /** Input that was neither. */
  readonly plain: Tokens;
  readonly output: Tokens;
}

export const NO_TOKENS: TokenTally = { read: 0, written: 0, plain: 0, output: 0 };

/** What tokens cost against plain input: r, w and q of the formulas. */
export interface PriceRatios {
  readonly read: number;
  readonly written: number;
  readonly output: number;
}

export function addTallies(a: TokenTally, b: TokenTally): TokenTally {
  return {
    read: a.read + b.read,
    written: a.written + b.written,
    plain: a.plain + b.plain,
    output: a.output + b.output,
  };
}

export function ratiosOf({ input, cached, written, output }: TokenRates): PriceRatios {
  return { read: cached / input, written: written / input, output: output / input };
}

/** Input-token equivalents: r·R + w·W + U + q·O. Prices move every month, ratios less. */
export function inputEquivalents(tally: TokenTally, ratios: PriceRatios): number {
  return (
    ratios.read * tally.read + ratios.written * tally.written + tally.plain + ratios.output * tally.output
  );
}

/** Calls whose whole input is above the second band's threshold are counted apart: they cost more, output included. */
export interface BandedTally {
  readonly short: TokenTally;
  readonly long: TokenTally;
}

/** US dollars. Prices without a second band hold for all. */
export function dollars({ short, long }: BandedTally, prices: TokenPrices): number {
  return bill(short, prices) + bill(long, prices.long ?? prices);
}

function bill({ read, written, plain, output }: TokenTally, rates: TokenRates): number {
  return (read * rates.cached + written * rates.written + plain * rates.input + output * rates.output) / 1e6;
}
