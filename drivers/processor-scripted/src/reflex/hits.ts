import { type Exchange, isRecord, parseJson } from './turn.js';

/** One hit of `conversation_search` or `archival_memory_search`. */
export interface Hit {
  /** `m<seq>` or `p<id>`. */
  readonly handle: string;
  readonly text: string;
  /** ISO 8601, or empty. */
  readonly at: string;
  readonly speaker: string;
  readonly role: string;
  /** Where a passage comes from, or empty. */
  readonly source: string;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** Counted from 0. */
  readonly page: number;
  readonly pages: number;
}

/** What a search found; undefined when it failed or its result cannot be read. */
export function foundBy(exchange: Exchange | undefined): Found | undefined {
  if (exchange === undefined || exchange.result.isError === true) return undefined;
  const value = parseJson(exchange.result.text);
  if (!isRecord(value) || !Array.isArray(value.results)) return undefined;
  const hits = value.results.filter(isRecord).map(hitOf);
  return { hits, page: numberOr(value.page, 0), pages: numberOr(value.pages, 1) };
}

function hitOf(value: Readonly<Record<string, unknown>>): Hit {
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : '');
  return {
    handle: text('handle'),
    text: text('text'),
    at: text('at'),
    speaker: text('speaker'),
    role: text('role'),
    source: text('source'),
  };
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
