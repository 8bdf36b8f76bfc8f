import type { ListQuery, Slice } from '@pagefault/contracts';
import { parseCursor, type SqlPort, type SqlSession, type SqlValue } from '@pagefault/driver-kit';
import { NAME } from './errors.js';
import type { Names } from './schema.js';
import { type CheckedEntry, unitText } from './vectors.js';

// About 6 MB of text at 512 numbers: far below what a server or a message takes, and still few round trips.
const BATCH = 1_000;

/** Within a transaction when they are more than one batch. */
export async function upsertEntries(
  session: SqlSession,
  names: Names,
  scope: string,
  entries: readonly CheckedEntry[],
): Promise<void> {
  for (let i = 0; i < entries.length; i += BATCH) {
    await upsertBatch(session, names, scope, entries.slice(i, i + BATCH));
  }
}

async function upsertBatch(
  session: SqlSession,
  { table, extension }: Names,
  scope: string,
  entries: readonly CheckedEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ({ id: entry.id, v: unitText(entry), at: entry.at }));
  await session.query(
    `insert into ${table} (scope, id, embedding, at)
     select $1, id, v::${extension}.vector, at from json_to_recordset($2::json) e(id text, v text, at double precision)
     on conflict (scope, id) do update set embedding = excluded.embedding, at = excluded.at`,
    [scope, JSON.stringify(rows)],
  );
}

export async function removeEntries(
  sql: SqlSession,
  { table }: Names,
  scope: string,
  ids: readonly string[] | 'all',
): Promise<void> {
  if (ids === 'all') {
    await sql.query(`delete from ${table} where scope = $1`, [scope]);
    return;
  }
  await sql.query(
    `delete from ${table} where scope = $1 and id = any (array(select json_array_elements_text($2::json) collate "C"))`,
    [scope, JSON.stringify(ids)],
  );
}

export async function countEntries(sql: SqlPort, { table }: Names, scope: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*) as count from ${table} where scope = $1`,
    [scope],
  );
  return rows[0]?.count ?? 0;
}

/** By id, as the primary key has them; the cursor is the last id given. */
export async function listIds(
  sql: SqlPort,
  { table }: Names,
  scope: string,
  { after, limit }: ListQuery,
): Promise<Slice<string>> {
  const values: SqlValue[] = [scope, limit + 1];
  const last = after === undefined ? undefined : parseCursor(NAME, after, ['string'])[0];
  const rest = last === undefined ? '' : `and id > $${values.push(last)}::text collate "C"`;
  const { rows } = await sql.query<{ id: string }>(
    `select id from ${table} where scope = $1 ${rest} order by id limit $2::bigint`,
    values,
  );
  const items = rows.slice(0, limit).map(({ id }) => id);
  return rows.length > limit ? { items, cursor: JSON.stringify([items.at(-1)]) } : { items };
}
