import type { VectorHit, VectorQuery } from '@pagefault/contracts';
import type { SqlPort, SqlValue } from '@pagefault/driver-kit';
import type { Names } from './schema.js';
import { SCORE } from './score.js';
import { boundVector } from './vectors.js';

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
function asked(sql: SqlPort, { scope, since, until, vector }: VectorQuery, dimension: number): Asked {
  const values: SqlValue[] = [scope, boundVector(sql, vector, dimension)];
  const conditions = ['scope = $1'];
  if (since !== undefined) conditions.push(`at >= $${values.push(since)}::double precision`);
  if (until !== undefined) conditions.push(`at < $${values.push(until)}::double precision`);
  return { values, where: conditions.join(' and ') };
}

/**
 * Compares with every vector of the scope that is in time: never misses, whatever the filter leaves (B14, B15).
 * `counts` costs a little; without it `compared` is 0.
 */
export async function scan(
  sql: SqlPort,
  { table, extension }: Names,
  query: VectorQuery,
  dimension: number,
  counts = false,
): Promise<Found> {
  const { values, where } = asked(sql, query, dimension);
  const { rows } = await sql.query<VectorHit & { compared: number }>(
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
  const { scope, vector, since = null, until = null, limit } = query;
  const candidates = Math.min(MOST_CANDIDATES, Math.max(LEAST_CANDIDATES, 2 * limit));
  const bound = boundVector(sql, vector, dimension);
  const { rows: hits } = await sql.query<VectorHit>(
    // The type tells it from the function of former versions.
    `select id, score from ${names.nearest}($1, $2::${names.extension}.vector, $3, $4, $5, $6)`,
    [scope, bound, since, until, limit + SPARE, candidates],
  );
  if (hits.length >= query.limit) return hits.slice(0, query.limit);
  return (await scan(sql, names, query, dimension)).hits;
}
