import type { VectorHit, VectorQuery } from '@pagefault/contracts';
import type { SqlPort, SqlSession, SqlValue } from '@pagefault/driver-kit';
import { formOf } from './hnsw.js';
import type { Names } from './schema.js';
import { vectorText } from './vectors.js';

export interface Found {
  readonly hits: readonly VectorHit[];
  /** How many vectors were compared. */
  readonly compared: number;
}

interface Asked {
  readonly values: SqlValue[];
  readonly where: string;
}

/** The first two values are scope and vector, then come those of the filter. */
function asked({ scope, since, until, vector }: VectorQuery, dimension: number): Asked {
  const values: SqlValue[] = [scope, vectorText('the query vector', vector, dimension)];
  const conditions = ['scope = $1'];
  if (since !== undefined) conditions.push(`at >= $${values.push(since)}::double precision`);
  if (until !== undefined) conditions.push(`at < $${values.push(until)}::double precision`);
  return { values, where: conditions.join(' and ') };
}

// pgvector's <=> is 1 - cosine. Rounding can push it just out of [0, 2].
const SCORE = 'greatest(0, least(1, 1 - distance / 2)) as score';

/**
 * Compares with every vector of the scope that is in time: never misses, whatever the filter leaves (B14, B15).
 * `counts` costs a little; without it `compared` is 0.
 */
export async function scan(
  session: SqlSession,
  { table, extension }: Names,
  query: VectorQuery,
  dimension: number,
  counts = false,
): Promise<Found> {
  const { values, where } = asked(query, dimension);
  const { rows } = await session.query<VectorHit & { compared: number }>(
    `select id, ${SCORE}, compared from (
       select id, embedding operator(${extension}.<=>) $2::${extension}.vector as distance, ${counts ? 'count(*) over ()' : '0'} as compared
       from ${table} where ${where}) compared
     order by distance, id limit $${values.push(query.limit)}::bigint`,
    values,
  );
  return { hits: rows.map(({ id, score }) => ({ id, score })), compared: rows[0]?.compared ?? 0 };
}

// The list of candidates that the index keeps; more finds more. pgvector's own default of 40 is for ten hits.
const LEAST_CANDIDATES = 100;
const MOST_CANDIDATES = 1_000; // pgvector's limit
// Beyond the limit, so that equal scores at the end of the list still come by id.
const SPARE = 20;

/**
 * The nearest by the index, which goes on until enough rows pass the filter or it has looked at too many; then, and
 * whenever there are too few, the scope is scanned: `limit` rows come when they exist.
 */
export async function searchIndex(
  sql: SqlPort,
  names: Names,
  query: VectorQuery,
  dimension: number,
): Promise<readonly VectorHit[]> {
  const hits = await sql.transaction(async (session) => {
    await session.query(
      `select set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', $1, true),
         set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)`,
      [String(Math.min(MOST_CANDIDATES, Math.max(LEAST_CANDIDATES, 2 * query.limit)))],
    );
    const { text, values } = indexStatement(names, query, dimension);
    return (await session.query<VectorHit>(text, values)).rows;
  });
  if (hits.length >= query.limit) return hits.slice(0, query.limit);
  return (await scan(sql, names, query, dimension)).hits;
}

/** The order of the index may be that of half precision; the scores, and the order of what is given, are of the whole. */
export function indexStatement(
  names: Names,
  query: VectorQuery,
  dimension: number,
): { readonly text: string; readonly values: SqlValue[] } {
  const { table, extension } = names;
  const { column, type } = formOf(names, dimension);
  const { values, where } = asked(query, dimension);
  const limit = `$${values.push(query.limit + SPARE)}::bigint`;
  const text = `select id, ${SCORE} from (
       select id, embedding operator(${extension}.<=>) $2::text::${extension}.vector as distance from (
         select id, embedding from ${table} where ${where}
         order by ${column} operator(${extension}.<=>) $2::text::${type} limit ${limit}) near) compared
     order by distance, id`;
  return { text, values };
}
