import type { Usage } from '@pagefault/contracts';
import { reportedTokens } from '@pagefault/driver-kit';

/**
 * Anthropic's usage made comparable: its `input_tokens` leave out what was read from the cache and what was written to it.
 * It comes in two events, the later one cumulative; what neither reports is 0.
 */
export function readUsage(first: unknown, last: unknown): Usage {
  const told = (key: string): number => reportedTokens(last, key) || reportedTokens(first, key);
  return {
    plain: told('input_tokens'),
    cached: told('cache_read_input_tokens'),
    written: told('cache_creation_input_tokens'),
    output: told('output_tokens'),
  };
}
