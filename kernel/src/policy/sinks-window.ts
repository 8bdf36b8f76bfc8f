/**
 * Sinks and window: the first few pages of all stay, and the newest; what is between goes, oldest first.
 * Source: Xiao et al., Efficient Streaming Language Models with Attention Sinks (StreamingLLM; arXiv 2309.17453), with its
 * four sinks; tokens there, pages here.
 */
import type { PagingPolicy } from './policy.js';
import { first, rankedPolicy } from './ranked.js';

export interface SinksWindowOptions {
  /** Pages from the beginning that go last. Default 4, the source's. */
  readonly sinks?: number;
}

export function sinksWindow({ sinks = 4 }: SinksWindowOptions = {}): PagingPolicy {
  return rankedPolicy('sinks-window', (pages) => first(pages, ({ id }) => id > sinks));
}
