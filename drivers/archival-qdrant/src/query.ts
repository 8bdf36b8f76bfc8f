import type { Scope, VectorHit, VectorQuery } from '@pagefault/contracts';
import type { Caller } from './call.js';
import { NAME, refusal } from './errors.js';
import type { Options } from './options.js';
import { unitVector } from './vectors.js';

/** More hits than asked for, so that those of equal score at the end are usually all there. */
const SPARE = 16;
/** When they are not, so many times more are asked for. */
const GROWTH = 4;

export interface Search {
  readonly caller: Caller;
  readonly options: Options;
  /** Hits of one request. */
  readonly most: number;
}

/**
 * The nearest, equal scores by id. Qdrant gives equal scores in no order, so it is asked on until something scores less
 * than the last that is wanted.
 */
export async function nearest(
  search: Search,
  query: VectorQuery,
  signal: AbortSignal | undefined,
): Promise<readonly VectorHit[]> {
  const vector = unitVector('the query vector', query.vector, search.options.dimension);
  const { limit } = query;
  for (let asked = limit + SPARE; ; asked *= GROWTH) {
    const hits = await fetchHits(search, { vector, query, asked }, signal);
    const last = hits.at(-1)?.score ?? 0;
    if (hits.length < asked || last < (hits[limit - 1]?.score ?? 0)) return hits.slice(0, limit);
  }
}

interface Ask {
  readonly vector: number[];
  readonly query: VectorQuery;
  readonly asked: number;
}

/** Sorted. By pages where strict mode limits a request; equal scores may then move between pages, so ids count once. */
async function fetchHits(
  search: Search,
  ask: Ask,
  signal: AbortSignal | undefined,
): Promise<readonly VectorHit[]> {
  const scores = new Map<string, number>();
  for (let offset = 0; offset < ask.asked;) {
    const limit = Math.min(ask.asked - offset, search.most);
    const page = await fetchPage(search, ask, { offset, limit }, signal);
    for (const { id, score } of page) scores.set(id, score);
    if (page.length < limit) break;
    offset += limit;
  }
  const hits = [...scores].map(([id, score]) => ({ id, score }));
  return hits.sort((a, b) => b.score - a.score || byCodeUnits(a.id, b.id));
}

async function fetchPage(
  { caller, options: { collection, exact } }: Search,
  { vector, query }: Ask,
  page: { readonly offset: number; readonly limit: number },
  signal: AbortSignal | undefined,
): Promise<readonly VectorHit[]> {
  const body = {
    collection_name: collection,
    query: vector,
    filter: { must: conditions(query) },
    with_payload: ['id'],
    ...page,
    // Quantised vectors would give other scores.
    params: exact ? { exact, quantization: { ignore: true } } : {},
  };
  const { points } = await caller.call('query', (api, init) => api.queryPoints(body, init), signal);
  return points.map(readHit);
}

function conditions({ scope, since, until }: VectorQuery): object[] {
  if (since === undefined && until === undefined) return [inScope(scope)];
  const range = { ...(since !== undefined && { gte: since }), ...(until !== undefined && { lt: until }) };
  return [inScope(scope), { key: 'at', range }];
}

/** A keyword is matched as a whole and as it is: no scope is a part of another (D16). */
export function inScope(scope: Scope): { key: string; match: { value: string } } {
  return { key: 'scope', match: { value: scope } };
}

// Rounding can push a cosine just past 1, and a score must stay in [0, 1].
function readHit(point: { readonly payload?: unknown; readonly score: number }): VectorHit {
  return { id: idOf(point), score: Math.min(1, Math.max(0, (1 + point.score) / 2)) };
}

/** Errors: `E_PROTOCOL` for a point that this driver did not write. */
export function idOf({ payload }: { readonly payload?: unknown }): string {
  const id = (payload as { id?: unknown } | null | undefined)?.id;
  if (typeof id === 'string') return id;
  const hint = 'only this driver may write into its collection';
  throw refusal('E_PROTOCOL', `${NAME}: a point has no id of ours`, hint);
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
