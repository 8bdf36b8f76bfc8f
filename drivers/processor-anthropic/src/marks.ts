import type { WireBlock, WireTool } from './api.js';
import type { Turn } from './turns.js';

/** The service takes no more over tools, system and messages. */
const MOST_MARKS = 4;

export type Ttl = '5m' | '1h';

type Mark = { readonly type: 'ephemeral'; readonly ttl?: '1h' };

function markFor(ttl: Ttl): Mark {
  return ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
}

/**
 * The blocks that carry a mark: for each breakpoint n the last one that is from the first n messages. Thinking may not be
 * marked, and never is: no message ends with it on the wire. Breakpoint 0 is the system text's.
 */
export function markedBlocks(turns: readonly Turn[], breakpoints: readonly number[]): ReadonlySet<WireBlock> {
  const placed = turns.flatMap(({ blocks }) => blocks);
  const found = breakpoints
    .slice(0, MOST_MARKS)
    .filter((n) => n > 0)
    .map((n) => placed.findLast(({ from }) => from < n)?.block);
  return new Set(found.filter((block) => block !== undefined));
}

export function marked<T extends WireBlock | WireTool>(block: T, ttl: Ttl): T {
  return { ...block, cache_control: markFor(ttl) };
}
