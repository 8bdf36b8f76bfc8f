import type { EraseScope, PartsOfProcess } from '@pagefault/contracts';
import type { SqlPort, SqlSession } from '@pagefault/driver-kit';
import { COLLECTIONS } from './commit.js';
import { leaseLost } from './errors.js';

/** In one transaction. The row of the process goes or is locked first: whoever commits at the same time waits. */
export async function erase(sql: SqlPort, schema: string, scope: EraseScope): Promise<number> {
  return sql.transaction(async (session) => {
    const { rows } = await session.query<{ num: number; fence: number | null }>(
      `select num, fence from ${schema}.processes where pid = $1 for update`,
      [scope.pid],
    );
    const owner = rows[0];
    if (scope.fence !== undefined && scope.fence !== (owner?.fence ?? undefined))
      throw leaseLost(scope.pid, scope.fence);
    if ('whole' in scope) return eraseProcess(session, schema, scope.pid, owner?.num);
    return owner ? eraseParts(session, schema, owner.num, scope) : 0;
  });
}

/** Rows may be there of a process that has no row of its own. */
async function eraseProcess(
  session: SqlSession,
  schema: string,
  pid: string,
  num: number | undefined,
): Promise<number> {
  await session.query(`delete from ${schema}.rows where pid = $1`, [pid]);
  if (num === undefined) return 0;
  await session.query(`delete from ${schema}.processes where num = $1`, [num]);
  await session.query(`delete from ${schema}.documents where num = $1`, [num]);
  await session.query(`delete from ${schema}.postings where num = $1`, [num]);
  return (await session.query(`delete from ${schema}.log where num = $1`, [num])).affected;
}

// For look-ups by an index.
const LISTED = 'any (array(select json_array_elements_text($2::json)::bigint))';
// For scans: `is true` keeps the planner from making a join of it, and then the list is hashed.
const isAmong = (column: string): string =>
  `(${column} in (select json_array_elements_text($2::json)::bigint)) is true`;

/** Texts have no index by position: all of the process's are looked through, which is dear and rare. */
async function eraseParts(
  session: SqlSession,
  schema: string,
  num: number,
  { seqs, passages = [] }: PartsOfProcess,
): Promise<number> {
  for (const table of ['documents', 'postings']) {
    await eraseTexts(session, `${schema}.${table}`, num, COLLECTIONS.messages, 'seq', seqs);
    await eraseTexts(session, `${schema}.${table}`, num, COLLECTIONS.passages, 'ordinal', passages);
  }
  const values = [num, JSON.stringify(seqs)];
  await session.query(
    `update ${schema}.processes set erased_to = greatest(erased_to,
       (select max(seq) from ${schema}.log where num = $1 and seq = ${LISTED})) where num = $1`,
    values,
  );
  const entries = `delete from ${schema}.log where num = $1 and seq = ${LISTED}`;
  return (await session.query(entries, values)).affected;
}

async function eraseTexts(
  session: SqlSession,
  table: string,
  num: number,
  collection: number,
  column: 'seq' | 'ordinal',
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  const statement = `delete from ${table} where num = $1 and collection = ${collection} and ${isAmong(column)}`;
  await session.query(statement, [num, JSON.stringify(numbers)]);
}
