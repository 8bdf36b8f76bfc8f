/**
 * Clear tool results: results of functions go, oldest first, but for the newest few; when they are too few, the other pages
 * follow, oldest first, and the newest results last.
 * Source: the context editing of Anthropic's API, `clear_tool_uses_20250919`, which keeps 3.
 */
import type { PagingPolicy } from './policy.js';
import { first, rankedPolicy } from './ranked.js';

export interface ClearToolResultsOptions {
  /** The newest results that stay. Default 3, the source's. */
  readonly keep?: number;
}

export function clearToolResults({ keep = 3 }: ClearToolResultsOptions = {}): PagingPolicy {
  return rankedPolicy('clear-tool-results', (pages) => {
    const results = pages.filter(({ hasResults }) => hasResults);
    const kept = new Set(results.slice(Math.max(0, results.length - keep)));
    const others = first(pages, (page) => !kept.has(page));
    return first(others, (page) => page.hasResults && !kept.has(page));
  });
}
