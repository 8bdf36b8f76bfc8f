/** When an eviction pays, by prices alone: the formulas behind every figure of the lab, for tests and for the reader. */
import type { Tokens } from '@pagefault/contracts';
import type { PriceRatios } from './tally.js';

/**
 * Keeping a page costs r a step and token; to evict it and read it in again costs w a token. So it must not be needed for
 * this many steps, even with nothing behind it in the prompt and no call of its own.
 */
export function leastGap({ read, written }: PriceRatios): number {
  return written / read;
}

/** Steps after which an eviction of `size` tokens, never needed again, has paid for rewriting the `behind` tokens after it. */
export function stepsToRepay({ read, written }: PriceRatios, size: Tokens, behind: Tokens): number {
  return ((written - read) * behind) / (read * size);
}

/** What a fault costs beside the page: one more call, which reads the whole prompt and says what it wants. */
export function costOfCall({ read, output }: PriceRatios, prompt: Tokens, said: Tokens): number {
  return read * prompt + output * said;
}
