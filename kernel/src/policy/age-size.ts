/**
 * Age and size: results of functions that are older than some user turns, and large, go first, oldest first; then the other
 * pages, oldest first; errors last.
 * Source: Mason, The Missing Memory Hierarchy (Pichay; arXiv 2603.09023), its rule without pins: four user turns, 500 bytes.
 */
import type { Tokens } from '@pagefault/contracts';
import type { PagingPolicy } from './policy.js';
import { first, rankedPolicy } from './ranked.js';

export interface AgeSizeOptions {
  /** User turns after which a result is old. Default 4, the source's. */
  readonly age?: number;
  /** A result below this is not worth an eviction of its own. Default 125: the source's 500 bytes, at four a token. */
  readonly least?: Tokens;
}

export function ageSize({ age = 4, least = 125 }: AgeSizeOptions = {}): PagingPolicy {
  return rankedPolicy('age-size', (pages, turn) => {
    const sound = first(pages, ({ failed }) => !failed);
    return first(
      sound,
      (page) => page.hasResults && !page.failed && page.tokens > least && turn - page.turn >= age,
    );
  });
}
