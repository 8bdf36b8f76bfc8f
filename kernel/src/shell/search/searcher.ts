/**
 * Search over recall and passages. It is kernel code, so it is the same on every stack: the store gives postings and
 * documents, the index gives nearest vectors, and what is shown is read again from recall.
 */
import { type Instant, type Lineage, PagefaultError, type Seq } from '@pagefault/contracts';
import { type Distinct, foldSame } from '../../core/search/index.js';
import { type ListCursor, type RankingCursor, readCursor, writeCursor } from '../../core/search-cursor.js';
import type { SearchHit, SearchRequest, SearchResults } from '../../core/search-results.js';
import type { Head } from '../../core/state.js';
import { isBlank } from '../../core/text.js';
import { checkZone } from '../../core/zone.js';
import { dayRange } from '../../syscall/days.js';
import { type Ask, fetchDocuments, rank, type SearchStack } from './arms.js';
import { readHits } from './hits.js';
import { listAfter, listFrom, type Listing, type ListPage } from './list.js';

export type { SearchStack } from './arms.js';

/** What search must know of the process. */
export interface SearchView {
  /** Whose messages and passages are looked through: ancestors first. */
  readonly lineage: Lineage;
  readonly head: Head;
  /** Messages from here on are the question itself, and never its answer (D17). */
  readonly before: Seq;
  readonly pageSize: number;
  /** IANA name of the user's time zone. */
  readonly zone: string;
  readonly now: Instant;
}

const MAX_SIZE = 1_000;

/** Errors: `E_INVALID` for a page, size, day, zone or cursor that is none; what the drivers say. */
export async function search(
  stack: SearchStack,
  view: SearchView,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResults> {
  if (request.cursor !== undefined && request.page !== undefined) throw both();
  const page = whole('page', request.page ?? 0, 0, Number.MAX_SAFE_INTEGER);
  const size = whole('size', request.size ?? view.pageSize, 1, MAX_SIZE);
  const listing = listingOf(view, request);
  const zone = zoneOf(view, request);
  const window = { size, skip: page * size, tag: tagOf(view, request), zone };
  if (request.query === undefined) return list(stack, listing, request, window, signal);
  const asked = { at: view.now, zone };
  return rankedPage(stack, { ...listing, query: request.query, asked }, request, window, signal);
}

/** Which results are asked for, and which search they are of. */
interface Window {
  readonly size: number;
  readonly skip: number;
  readonly tag: unknown;
  readonly zone: string;
}

function zoneOf(view: SearchView, { zone }: SearchRequest): string {
  return zone === undefined ? view.zone : checkZone(zone);
}

function listingOf(view: SearchView, request: SearchRequest): Listing {
  const { collection, since, until, days } = request;
  const { lineage, head, before } = view;
  const range = days && dayRange(days.from, days.to, zoneOf(view, request));
  return {
    lineage,
    head,
    collection,
    before,
    since: Math.max(since ?? -Infinity, range?.since ?? -Infinity),
    until: Math.min(until ?? Infinity, range?.until ?? Infinity),
  };
}

/** What two requests must share for one to go on where the other ended. */
function tagOf({ lineage }: SearchView, request: SearchRequest): unknown {
  const { collection, query, since, until, days, zone } = request;
  return [lineage.at(-1)?.pid, collection, query, since, until, days, zone];
}

function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new PagefaultError('E_INVALID', `${name} ${value} is no whole number from ${min} to ${max}`, {
    hint: name === 'page' ? 'pages are counted from 0' : `choose a ${name} within them`,
  });
}

function both(): PagefaultError {
  return new PagefaultError('E_INVALID', 'a search is given both a page and a cursor', {
    hint: 'a cursor says itself where it goes on',
  });
}

async function rankedPage(
  stack: SearchStack,
  ask: Ask,
  { cursor, query = '' }: SearchRequest,
  { size, skip, tag, zone }: Window,
  signal?: AbortSignal,
): Promise<SearchResults> {
  const from =
    cursor === undefined ? await rankFrom(stack, ask, skip, signal) : readCursor(cursor, tag, 'ranking');
  const hits = await hitsOf(stack, ask, from.left.slice(0, size), signal);
  const next = { ...from, shown: from.shown + size, left: from.left.slice(size) };
  return {
    query,
    total: from.total,
    wordMatch: from.wordMatch,
    ...(from.unranked > 0 && { unranked: from.unranked }),
    zone,
    page: Math.floor(from.shown / size),
    pages: Math.ceil(from.total / size),
    ...(next.left.length > 0 && { cursor: writeCursor(next, tag) }),
    hits,
  };
}

/** The ranking without its first results. */
async function rankFrom(
  stack: SearchStack,
  ask: Ask,
  skip: number,
  signal?: AbortSignal,
): Promise<RankingCursor> {
  const nothing = { documents: [], wordMatch: false, unranked: 0 };
  const { documents, ...ranking } = isBlank(ask.query) ? nothing : await rank(stack, ask, signal);
  const results = foldSame(documents);
  return { kind: 'ranking', ...ranking, total: results.length, shown: skip, left: results.slice(skip) };
}

async function hitsOf(
  { recall }: SearchStack,
  ask: Ask,
  results: readonly Distinct[],
  signal?: AbortSignal,
): Promise<SearchHit[]> {
  const ordinals = results.map(({ ordinal }) => ordinal);
  const documents = await fetchDocuments(recall, ask, ordinals, signal);
  const found = await readHits(recall, ask.lineage, ask.collection, documents, signal);
  return results.flatMap(({ ordinal, times }) => {
    const hit = found.get(ordinal);
    return hit ? [times > 1 ? { ...hit, times } : hit] : [];
  });
}

async function list(
  stack: SearchStack,
  listing: Listing,
  { cursor }: SearchRequest,
  window: Window,
  signal?: AbortSignal,
): Promise<SearchResults> {
  const { size, skip, tag } = window;
  if (cursor === undefined) return listed(await listFrom(stack, listing, skip, size, signal), window);
  const from = readCursor(cursor, tag, 'list');
  const page = await listAfter(stack, listing, from, size, signal);
  return listed(page, { ...window, skip: from.shown });
}

function listed({ total, hits, ...read }: ListPage, { size, skip, tag, zone }: Window): SearchResults {
  const shown = skip + hits.length;
  const next: ListCursor = { kind: 'list', total, shown, ...read };
  return {
    total,
    wordMatch: true,
    zone,
    page: Math.floor(skip / size),
    pages: Math.ceil(total / size),
    ...(hits.length > 0 && shown < total && { cursor: writeCursor(next, tag) }),
    hits,
  };
}
