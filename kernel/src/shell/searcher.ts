/**
 * Search over recall and passages. It is kernel code, so it is the same on every stack: the store gives postings and
 * documents, the index gives nearest vectors, and what is shown is read again from recall.
 */
import type {
  ArchivalDriver,
  Collection,
  EmbedderDriver,
  IndexedDocument,
  Lineage,
  LogEntry,
  RecallDriver,
  Seq,
} from '@pagefault/contracts';
import { messageText } from '../core/documents.js';
import {
  candidates,
  fuse,
  planQuery,
  type QueryPlan,
  type Ranked,
  rankInContext,
} from '../core/search/index.js';
import type { SearchHit, SearchRequest, SearchResults } from '../core/search-results.js';
import type { Head } from '../core/state.js';
import { handleOf } from '../core/stub.js';
import { isBlank } from '../core/text.js';
import { scopeOf } from './indexer.js';
import { type PassageRecord, readPassages } from './storage.js';

export interface SearchStack {
  readonly recall: RecallDriver;
  readonly archival?: ArchivalDriver | undefined;
  readonly embedder?: EmbedderDriver | undefined;
  /** Told when the vector arm failed: the text arm answers alone. */
  readonly onVectorFailure?: ((error: unknown) => void) | undefined;
}

/** What search must know of the process. */
export interface SearchView {
  /** Whose messages and passages are looked through: ancestors first. */
  readonly lineage: Lineage;
  readonly head: Head;
  /** Messages from here on are the question itself, and never its answer (D17). */
  readonly before: Seq;
  readonly pageSize: number;
}

// Beyond the hundred nearest a weak encoder adds noise; z-scores need about that many to mean something.
const NEAREST = 100;

export async function search(
  stack: SearchStack,
  view: SearchView,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResults> {
  const size = request.size ?? view.pageSize;
  const page = request.page ?? 0;
  if (request.query === undefined) return listByTime(stack, view, request, page, size, signal);
  if (isBlank(request.query)) return results(request, [], 0, page, size);
  const ranked = await rank(stack, view, request, request.query, signal);
  const shown = ranked.documents.slice(page * size, (page + 1) * size);
  const hits = await readHits(stack.recall, view.lineage, request.collection, shown, signal);
  return results(request, hits, ranked.documents.length, page, size);
}

async function rank(
  stack: SearchStack,
  view: SearchView,
  request: SearchRequest,
  query: string,
  signal?: AbortSignal,
): Promise<{ documents: IndexedDocument[] }> {
  const plan = planQuery(query, view.head.speakers);
  // Marks alone mean nothing: everything would be equally near to them.
  if (plan.terms.length === 0) return { documents: [] };
  const [text, vector] = await Promise.all([
    rankByText(stack.recall, view, request.collection, plan, signal),
    rankByVector(stack, view, request, query, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      stack.onVectorFailure?.(error);
      return [];
    }),
  ]);
  const fused = fuse(text.ranked, vector);
  const known = new Map(text.documents.map((document) => [document.ordinal, document]));
  const missing = fused.map(({ ordinal }) => ordinal).filter((ordinal) => !known.has(ordinal));
  for (const document of await fetchDocuments(
    stack.recall,
    view.lineage,
    request.collection,
    missing,
    signal,
  )) {
    known.set(document.ordinal, document);
  }
  const documents = fused.flatMap(({ ordinal }) => known.get(ordinal) ?? []);
  return { documents: documents.filter((document) => isWanted(document, view, request)) };
}

function isWanted(document: IndexedDocument, view: SearchView, request: SearchRequest): boolean {
  if (request.collection === 'messages' && document.seq >= view.before) return false;
  const { since = -Infinity, until = Infinity } = request;
  return document.at >= since && document.at < until;
}

async function rankByText(
  recall: RecallDriver,
  view: SearchView,
  collection: Collection,
  plan: QueryPlan,
  signal?: AbortSignal,
): Promise<{ ranked: readonly Ranked[]; documents: readonly IndexedDocument[] }> {
  if (plan.terms.length === 0) return { ranked: [], documents: [] };
  const postings = await recall.postings(view.lineage, collection, plan.terms, signal);
  const totals = view.head.collections[collection];
  const { ordinals, rows } = candidates(postings, totals);
  const documents = await fetchDocuments(recall, view.lineage, collection, rows, signal);
  return {
    ranked: rankInContext({ terms: plan.terms, postings, documents, ordinals, totals, named: plan.named }),
    documents,
  };
}

async function fetchDocuments(
  recall: RecallDriver,
  lineage: Lineage,
  collection: Collection,
  ordinals: readonly number[],
  signal?: AbortSignal,
): Promise<readonly IndexedDocument[]> {
  if (ordinals.length === 0) return [];
  return recall.documents(lineage, collection, ordinals, signal);
}

/** Nothing when there is no index, or nothing in it: search by text alone is never hurt by it. */
async function rankByVector(
  stack: SearchStack,
  view: SearchView,
  request: SearchRequest,
  query: string,
  signal?: AbortSignal,
): Promise<readonly Ranked[]> {
  const { archival, embedder } = stack;
  if (!archival || !embedder) return [];
  const [vector] = await embedder.embed([query], signal);
  if (!vector) return [];
  const range = {
    ...(request.since !== undefined && { since: request.since }),
    ...(request.until !== undefined && { until: request.until }),
  };
  const asked = view.lineage.map(async ({ pid, documents }) => {
    const scope = scopeOf(request.collection, pid, embedder);
    const hits = await archival.query({ scope, vector, limit: NEAREST, ...range }, signal);
    const end = documents?.[request.collection] ?? Infinity;
    return hits
      .map(({ id, score }) => ({ ordinal: Number(id), score }))
      .filter(({ ordinal }) => ordinal < end);
  });
  const found = (await Promise.all(asked)).flat();
  return found.toSorted((a, b) => b.score - a.score).slice(0, NEAREST);
}

async function listByTime(
  stack: SearchStack,
  view: SearchView,
  request: SearchRequest,
  page: number,
  size: number,
  signal?: AbortSignal,
): Promise<SearchResults> {
  const { since, until } = request;
  const range = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const found: LogEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { ...range, to: view.before - 1, limit: 1_000, ...(cursor !== undefined && { cursor }) };
    const slice = await stack.recall.read(view.lineage, query, signal);
    found.push(...slice.items.filter(({ message }) => messageText(message) !== ''));
    if (slice.cursor === undefined) break;
    cursor = slice.cursor;
  }
  const hits = found.slice(page * size, (page + 1) * size).map(messageHit);
  return results(request, hits, found.length, page, size);
}

async function readHits(
  recall: RecallDriver,
  lineage: Lineage,
  collection: Collection,
  documents: readonly IndexedDocument[],
  signal?: AbortSignal,
): Promise<SearchHit[]> {
  if (documents.length === 0) return [];
  if (collection === 'passages') {
    const passages = await readPassages(
      recall,
      lineage,
      documents.map(({ ref }) => ref),
      signal,
    );
    return documents.flatMap(({ ref }) => passageHit(ref, passages.get(ref)));
  }
  const seqs = documents.map(({ seq }) => seq);
  const { items } = await recall.read(lineage, { seqs, limit: Math.max(1, seqs.length) }, signal);
  const bySeq = new Map(items.map((entry) => [entry.seq, entry]));
  return seqs.flatMap((seq) => {
    const entry = bySeq.get(seq);
    return entry ? [messageHit(entry)] : [];
  });
}

function messageHit({ seq, page, message }: LogEntry): SearchHit {
  const { id, role, name, at } = message;
  const text = messageText(message);
  return {
    handle: handleOf(seq),
    text,
    at,
    id,
    role,
    seq,
    page,
    ...(name !== undefined && { speaker: name }),
  };
}

function passageHit(id: string, passage: PassageRecord | undefined): SearchHit[] {
  if (!passage) return [];
  const { text, at, source } = passage;
  return [{ handle: `p${id}`, text, at, id, ...(source !== undefined && { source }) }];
}

function results(
  request: SearchRequest,
  hits: readonly SearchHit[],
  total: number,
  page: number,
  size: number,
): SearchResults {
  const pages = Math.ceil(total / size);
  return { ...(request.query !== undefined && { query: request.query }), total, page, pages, hits };
}
