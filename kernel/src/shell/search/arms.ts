/** The two arms of a search, and one ranking of both. */
import type {
  ArchivalDriver,
  Bill,
  Collection,
  EmbedderDriver,
  IndexedDocument,
  Instant,
  Lineage,
  Pid,
  Posting,
  RecallDriver,
  Seq,
} from '@pagefault/contracts';
import {
  type Asked,
  candidates,
  type Candidates,
  compareRanked,
  fuse,
  isTimeTerm,
  NEAREST,
  planQuery,
  type QueryPlan,
  type Ranked,
  rankInContext,
} from '../../core/search/index.js';
import type { Head } from '../../core/state.js';
import { scopeOf } from './scopes.js';

export interface SearchStack {
  readonly recall: RecallDriver;
  readonly archival?: ArchivalDriver | undefined;
  readonly embedder?: EmbedderDriver | undefined;
  /** What embedding a question of a process is billed. */
  readonly onBill?: ((pid: Pid, bill: Bill) => void) | undefined;
  /** Told when the vector arm failed: the text arm answers alone. */
  readonly onVectorFailure?: ((error: unknown) => void) | undefined;
}

/** What is searched, and where. */
export interface Ask {
  readonly lineage: Lineage;
  readonly head: Head;
  readonly collection: Collection;
  readonly query: string;
  /** When it is asked, and by whose clock: what `yesterday` means. */
  readonly asked: Asked;
  /** `at >= since` and `at < until`. */
  readonly since: Instant;
  readonly until: Instant;
  /** Messages from here on are the question itself, and never its answer (D17). */
  readonly before: Seq;
}

export interface Ranking {
  /** Best first. */
  readonly documents: readonly IndexedDocument[];
  /** Whether a word of the query is in any of them. */
  readonly wordMatch: boolean;
  /** How many more have a word of the query. */
  readonly unranked: number;
}

const NOTHING: Ranking = { documents: [], wordMatch: false, unranked: 0 };

export async function rank(stack: SearchStack, ask: Ask, signal?: AbortSignal): Promise<Ranking> {
  const plan = planQuery(ask.query, ask.head.speakers, ask.asked);
  // Marks alone mean nothing: everything would be equally near to them.
  if (plan.terms.length === 0) return NOTHING;
  const [text, vector] = await Promise.all([
    rankByText(stack.recall, ask, plan, signal),
    rankByVector(stack, ask, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      stack.onVectorFailure?.(error);
      return [];
    }),
  ]);
  const near = vector.map(({ ordinal }) => ordinal);
  const known = await completed(stack.recall, ask, text.documents, near, signal);
  const preferred = new Set(near.filter((ordinal) => plan.named.includes(known.get(ordinal)?.speaker ?? '')));
  const fused = fuse(text.ranked, vector, { preferred }).map(({ ordinal }) => ordinal);
  const documents = fused.flatMap((ordinal) => known.get(ordinal) ?? []).filter(isWantedBy(ask));
  const wordMatch = documents.some(({ ordinal }) => text.holders.has(ordinal));
  return { documents, wordMatch, unranked: text.unranked };
}

function isWantedBy({ collection, since, until, before }: Ask): (document: IndexedDocument) => boolean {
  return ({ seq, at }) => (collection === 'passages' || seq < before) && at >= since && at < until;
}

interface ByText {
  readonly ranked: readonly Ranked[];
  readonly documents: readonly IndexedDocument[];
  /** Those that have a word of the query themselves. */
  readonly holders: ReadonlySet<number>;
  readonly unranked: number;
}

async function rankByText(
  recall: RecallDriver,
  ask: Ask,
  { terms, named }: QueryPlan,
  signal?: AbortSignal,
): Promise<ByText> {
  const { lineage, head, collection } = ask;
  const postings = await recall.postings(lineage, collection, terms, signal);
  const totals = head.collections[collection];
  const all = candidates(postings, totals);
  // When too many have a word of the query, those of the time range are chosen from before the others are left out.
  const among = all.left.length > 0 ? await inRange(recall, ask, all, signal) : undefined;
  const chosen = among ? candidates(postings, totals, { among }) : all;
  const { ordinals, rows, left } = chosen;
  const documents = await fetchDocuments(recall, ask, rows, signal);
  const ranked = rankInContext({ terms, postings, documents, ordinals, totals, named });
  return {
    ranked,
    documents,
    holders: holdersOf(postings),
    unranked: left.length,
  };
}

function holdersOf(postings: readonly Posting[]): ReadonlySet<number> {
  return new Set(postings.filter(({ term }) => !isTimeTerm(term)).map(({ ordinal }) => ordinal));
}

/** Undefined when everything is. */
async function inRange(
  recall: RecallDriver,
  ask: Ask,
  { ordinals, left }: Candidates,
  signal?: AbortSignal,
): Promise<ReadonlySet<number> | undefined> {
  if (ask.since === -Infinity && ask.until === Infinity) return undefined;
  const documents = await fetchDocuments(recall, ask, [...ordinals, ...left], signal);
  return new Set(documents.filter(isWantedBy(ask)).map(({ ordinal }) => ordinal));
}

/** Documents by ordinal: those that are known, and those of the ordinals. */
async function completed(
  recall: RecallDriver,
  ask: Ask,
  documents: readonly IndexedDocument[],
  ordinals: readonly number[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, IndexedDocument>> {
  const known = new Map(documents.map((document) => [document.ordinal, document]));
  const missing = ordinals.filter((ordinal) => !known.has(ordinal));
  for (const document of await fetchDocuments(recall, ask, missing, signal))
    known.set(document.ordinal, document);
  return known;
}

export async function fetchDocuments(
  recall: RecallDriver,
  { lineage, collection }: Pick<Ask, 'lineage' | 'collection'>,
  ordinals: readonly number[],
  signal?: AbortSignal,
): Promise<readonly IndexedDocument[]> {
  if (ordinals.length === 0) return [];
  return recall.documents(lineage, collection, ordinals, signal);
}

/** Nothing when there is no index, or nothing in it: search by text alone is never hurt by it. */
async function rankByVector(
  { archival, embedder, onBill }: SearchStack,
  { lineage, collection, query, since, until }: Ask,
  signal?: AbortSignal,
): Promise<readonly Ranked[]> {
  if (!archival || !embedder) return [];
  // A fork searches its ancestors' history, too: it is the one that asks.
  const asking = lineage.at(-1)?.pid;
  const [vector] = await embedder.embed([query], signal, 'query', (bill) => {
    if (asking !== undefined) onBill?.(asking, bill);
  });
  if (!vector) return [];
  const range = { ...(since !== -Infinity && { since }), ...(until !== Infinity && { until }) };
  const asked = lineage.map(async ({ pid, documents }) => {
    const scope = scopeOf(collection, pid, embedder);
    const hits = await archival.query({ scope, vector, limit: NEAREST, ...range }, signal);
    const end = documents?.[collection] ?? Infinity;
    return hits
      .map(({ id, score }) => ({ ordinal: Number(id), score }))
      .filter(({ ordinal }) => ordinal < end);
  });
  const found = (await Promise.all(asked)).flat();
  return found.toSorted(compareRanked).slice(0, NEAREST);
}
