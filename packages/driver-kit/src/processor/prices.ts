import type { TokenPrices, TokenRates } from '@pagefault/contracts';
import { z } from 'zod';

const dollars = z.number().min(0).max(1_000_000);
const rates = {
  input: dollars,
  cached: dollars.optional(),
  written: dollars.optional(),
  output: dollars,
};

/** Prices as a user gives them. What is read from or written to a cache costs as much as other input unless it is said. */
export const pricesOption = z
  .strictObject({ ...rates, long: z.strictObject({ above: z.int().min(1), ...rates }).optional() })
  .transform(({ long, ...short }): TokenPrices => {
    return { ...complete(short), ...(long && { long: { above: long.above, ...complete(long) } }) };
  })
  .optional()
  .describe(
    'US dollars per million tokens: { input, cached, written, output }, and as `long` those of requests above a size. Default by price list.',
  );

interface GivenRates {
  readonly input: number;
  readonly cached?: number | undefined;
  readonly written?: number | undefined;
  readonly output: number;
}

function complete({ input, cached = input, written = input, output }: GivenRates): TokenRates {
  return { input, cached, written, output };
}

/** A dated snapshot: `-2024-08-06`, `-20250514`, `@20260724`, `-0613`, `-latest`, with what a platform adds (`-v1:0`). */
const SNAPSHOT = /^[-@](?:\d{4}-\d\d-\d\d|\d{8}|\d{4}|latest)(?:-v\d+(?::\d+)?)?$/;

/**
 * The prices of a model by its name at the provider, with or without a gateway's prefix. Only its own or a snapshot's name
 * counts: variants of a model (`-mini`, `-pro`) cost something else, and no price is better than a wrong one.
 */
export function findPrices<Prices>(
  list: Readonly<Record<string, Prices>>,
  model: string,
): Prices | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const known = Object.keys(list)
    .filter((key) => name === key || (name.startsWith(key) && SNAPSHOT.test(name.slice(key.length))))
    .sort((a, b) => b.length - a.length)[0];
  return known === undefined ? undefined : list[known];
}
