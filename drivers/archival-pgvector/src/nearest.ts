/**
 * The search by the index, as a function of the database: what the planner and the index are told then holds within it, so
 * that one statement is enough. Told statement by statement it takes a transaction, and four times as long as the search.
 */
import type { SqlSession } from '@pagefault/driver-kit';
import { formOf } from './form.js';
import type { Names } from './schema.js';
import { SCORE } from './score.js';

const argumentsOf = ({ extension }: Names): string =>
  `text, ${extension}.vector, double precision, double precision, bigint, int`;
// Of former versions, which planned each search and read the vector as text. Whoever runs one still may call it.
const FORMER = 'text, text, double precision, double precision, int, bigint';

/**
 * Made together with the index; made anew it is the same. A session plans it once: whatever it is asked, there is but one good
 * plan, and planning takes half as long as the search.
 */
export async function makeNearest(session: SqlSession, names: Names, dimension: number): Promise<void> {
  // The extension's settings are known to a session that has used it.
  await session.query(`select '[1]'::${names.extension}.vector`);
  await session.query(
    `create or replace function ${names.nearest}(
       scope text, vector ${names.extension}.vector, since double precision, until double precision,
       hits bigint, candidates int)
     returns table (id text, score double precision) language plpgsql
     set hnsw.iterative_scan = 'strict_order' set hnsw.ef_search = 40 set enable_sort = off set enable_seqscan = off
     set plan_cache_mode = force_generic_plan
     as $function$
     #variable_conflict use_column
     begin
       perform set_config('hnsw.ef_search', $6::text, true);
       return query ${nearestStatement(names, dimension)};
     end $function$`,
  );
}

export async function dropNearest(session: SqlSession, names: Names): Promise<void> {
  for (const given of [argumentsOf(names), FORMER])
    await session.query(`drop function if exists ${names.nearest}(${given})`);
}

/** The order of the index may be that of half precision; the scores, and the order of what is given, are of the whole. */
export function nearestStatement(names: Names, dimension: number): string {
  const { table, extension } = names;
  const { column, type } = formOf(names, dimension);
  return `select id, ${SCORE} from (
       select id, embedding operator(${extension}.<=>) $2::${extension}.vector as distance from (
         select id, embedding from ${table}
         where scope = $1 and ($3::double precision is null or at >= $3) and ($4::double precision is null or at < $4)
         order by ${column} operator(${extension}.<=>) $2::${type} limit $5::bigint) near) compared
     order by distance, id`;
}

export async function hasNearest(session: SqlSession, names: Names): Promise<boolean> {
  const { rows } = await session.query<{ there: boolean }>(
    'select to_regprocedure($1) is not null as there',
    [`${names.nearest}(${argumentsOf(names)})`],
  );
  return rows[0]?.there === true;
}
