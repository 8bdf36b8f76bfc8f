import { fieldConditions, passes } from './filter.js';
import { keyOf, readId } from './ids.js';
import { readVector } from './points.js';
import { badRequest, wrongInput } from './refusal.js';
import { checkExact, checkFilter, checkLimit, missingIndex } from './strict.js';
import type { Collection, Filter, Payload, StoredPoint } from './types.js';
import { normalised, product } from './vectors.js';

interface Shown {
  readonly with_payload?: boolean | readonly string[] | null;
  readonly with_vector?: boolean | null;
}

export interface QueryBody extends Shown {
  readonly query?: unknown;
  readonly filter?: Filter | null;
  readonly params?: { readonly exact?: boolean; readonly hnsw_ef?: number | null } | null;
  readonly score_threshold?: number | null;
  readonly limit?: number | null;
  readonly offset?: number | null;
}

/** Below so many points the service compares with all of them anyway. */
const FULL_SCAN = 1_000;
/** How many of the nearest a walk through the graph sees by default. */
const DEFAULT_EF = 128;

export function query(collection: Collection, body: QueryBody): object {
  const { filter, score_threshold: threshold } = body;
  const limit = body.limit ?? 10;
  const offset = body.offset ?? 0;
  const exact = body.params?.exact === true;
  checkLimit(collection, limit);
  checkFilter(collection, filter, 'retrieve');
  checkExact(collection, exact);
  const vector = normalised(readVector(collection, nearestTo(body.query)));
  const scored = [...seen(collection, body, vector, exact)]
    .filter(({ point, score }) => passes(filter, point) && score >= (threshold ?? -Infinity))
    .slice(offset, offset + limit);
  return {
    points: scored.map(({ point, score }) => ({ ...shown(point, body), score, version: point.version })),
  };
}

function nearestTo(given: unknown): unknown {
  const { nearest = given } = (typeof given === 'object' ? given : {}) as { nearest?: unknown };
  if (!Array.isArray(nearest)) throw wrongInput('the double compares with vectors only');
  return nearest;
}

interface Scored {
  readonly point: StoredPoint;
  readonly score: number;
}

/**
 * Best first. Equal scores come in no order that a client may rely on: here backwards by id. Without an index on a field
 * of the filter, a walk through the graph of a large collection sees the nearest only, and what passes is lost (B22).
 */
function seen(
  collection: Collection,
  body: QueryBody,
  vector: Float32Array,
  exact: boolean,
): readonly Scored[] {
  const all = [...collection.points.values()]
    .map((point) => ({ point, score: product(vector, point.vector) }))
    .toSorted((a, b) => b.score - a.score || (keyOf(a.point.id) < keyOf(b.point.id) ? 1 : -1));
  const isBlind = fieldConditions(body.filter).some((condition) => missingIndex(collection, condition));
  if (exact || !isBlind || all.length <= FULL_SCAN) return all;
  return all.slice(0, Math.max(body.limit ?? 10, body.params?.hnsw_ef ?? DEFAULT_EF));
}

interface Order {
  readonly key: string;
  readonly direction?: 'asc' | 'desc' | null;
  readonly start_from?: number | null;
}

export interface ScrollBody extends Shown {
  readonly filter?: Filter | null;
  readonly limit?: number | null;
  readonly offset?: unknown;
  readonly order_by?: string | Order | null;
}

/** Ordered by id with a cursor, or by a field without one: pages over equal values then repeat and omit (D15). */
export function scroll(collection: Collection, body: ScrollBody): object {
  const limit = body.limit ?? 10;
  checkLimit(collection, limit);
  checkFilter(collection, body.filter, 'retrieve');
  const passing = [...collection.points].filter(([, point]) => passes(body.filter, point));
  if (body.order_by)
    return orderedBy(
      collection,
      body,
      passing.map(([, point]) => point),
      limit,
    );
  const from = keyFrom(body.offset);
  const rest = passing.filter(([key]) => key >= from).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const points = rest.slice(0, limit).map(([, point]) => shown(point, body));
  return { points, next_page_offset: rest[limit]?.[1].id ?? null };
}

function keyFrom(offset: unknown): string {
  return offset === undefined || offset === null ? '' : keyOf(readId(offset));
}

function orderedBy(
  collection: Collection,
  body: ScrollBody,
  points: readonly StoredPoint[],
  limit: number,
): object {
  const {
    key,
    direction,
    start_from: from,
  }: Order = typeof body.order_by === 'string' ? { key: body.order_by } : (body.order_by ?? { key: '' });
  const type = collection.indexes.get(key)?.['type'];
  if (!['integer', 'float', 'datetime'].includes(String(type)))
    throw badRequest(`No range index for \`order_by\` key: \`${key}\`. Please create one to use \`order_by\`. Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Range conditions`); // prettier-ignore
  const value = ({ payload }: StoredPoint): number => Number(payload[key]);
  const sign = direction === 'desc' ? -1 : 1;
  const sorted = points
    .filter((point) => key in point.payload && sign * value(point) >= sign * (from ?? sign * -Infinity))
    .toSorted((a, b) => sign * (value(a) - value(b)));
  const page = sorted.slice(0, limit);
  return { points: page.map((point) => ({ ...shown(point, body), order_value: value(point) })), next_page_offset: null }; // prettier-ignore
}

/** A count that is not exact is an estimate: here one too many. */
export function count(
  collection: Collection,
  body: { readonly filter?: Filter | null; readonly exact?: boolean },
): object {
  checkFilter(collection, body.filter, 'retrieve');
  const found = [...collection.points.values()].filter((point) => passes(body.filter, point)).length;
  return { count: body.exact === false && body.filter ? found + 1 : found };
}

export function retrieve(
  collection: Collection,
  body: Shown & { readonly ids: readonly unknown[] },
): object[] {
  return body.ids.flatMap((id) => {
    const point = collection.points.get(keyOf(readId(id)));
    // Retrieved points show their payload unless it is declined.
    return point ? [shown(point, { with_payload: true, ...body })] : [];
  });
}

function shown({ id, payload, vector }: StoredPoint, { with_payload, with_vector }: Shown): object {
  return {
    id,
    ...(with_payload && { payload: chosen(payload, with_payload) }),
    ...(with_vector === true && { vector: [...vector] }),
  };
}

function chosen(payload: Payload, fields: true | readonly string[]): Payload {
  if (fields === true) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([key]) => fields.includes(key)));
}
