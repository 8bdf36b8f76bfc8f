import type { Instant } from '@pagefault/contracts';
import { analyseText } from './analysis.js';

export interface DocumentTerms {
  /** Number of content terms. */
  readonly length: number;
  /** Distinct terms, function words too, by first occurrence. */
  readonly terms: readonly (readonly [term: string, count: number])[];
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/**
 * What a document puts into the index. With `at`, the day (UTC) is part of it as a reader would
 * write it, so that a question with a date finds it; LoCoMo evidence recall@10: +.013.
 */
export function documentTerms(text: string, at?: Instant): DocumentTerms {
  const { content, extra } = analyseText(text);
  const dated = at === undefined ? [] : analyseText(dateText(at)).content;
  const counts = new Map<string, number>();
  for (const list of [content, dated, extra]) {
    for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return { length: content.length + dated.length, terms: [...counts] };
}

/** `8 may 2023`; empty when `at` is no time. */
export function dateText(at: Instant): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
}
