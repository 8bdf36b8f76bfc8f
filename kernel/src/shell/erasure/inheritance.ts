import type { ProcessRecord } from '../storage.js';
import type { Inherited, Plan } from './job.js';

/**
 * What of an erasure a child sees, which reads its parent's log up to where it was forked; undefined when it was forked
 * before any of it came. Positions beyond the cut are other messages to it.
 */
export function inheritedBy(
  { ancestors = [] }: Pick<ProcessRecord, 'ancestors'>,
  plan: Plan,
): Inherited | undefined {
  const cut = ancestors.at(-1);
  if (!cut) return undefined;
  const end = cut.documents?.passages ?? Infinity;
  const places = [...plan.foreign, ...plan.own].filter(({ seq }) => seq <= cut.upTo);
  const own = plan.passages.filter(({ ordinal }) => ordinal < end).map(({ id }) => id);
  const passages = [...plan.foreignPassages, ...own];
  const { documents, quotes } = plan;
  if (places.length + passages.length + documents.length === 0) return undefined;
  return { places, passages, documents, quotes, news: plan.news.filter((seq) => seq <= cut.upTo) };
}
