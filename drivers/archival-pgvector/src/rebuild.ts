/**
 * A table for vectors of another dimension. It is filled beside the one that is there, which stays what `open` looks at, so
 * that a rebuild can be stopped and gone on with, and the former embedder can be had back until its very end.
 */
import type { SqlPort, SqlSession } from '@pagefault/driver-kit';
import { refusal } from './errors.js';
import { LOCK_KEY } from './hnsw.js';
import { dropNearest } from './nearest.js';
import { dimensionOf, namesOf, type Names, prepareAny, tableStatements } from './schema.js';

export interface Rebuild {
  /** The table to fill, or the one that is there when it is as wide as it should be. */
  readonly names: Names;
  /** The dimension of the table that is to be replaced; undefined when none is. */
  readonly from: number | undefined;
}

export async function beginRebuild(sql: SqlPort, schema: string, dimension: number): Promise<Rebuild> {
  const names = await prepareAny(sql, schema, dimension);
  const actual = await dimensionOf(sql, names.table);
  if (actual === dimension) return { names, from: undefined };
  const next = nextOf(schema, names);
  await sql.transaction(async (session) => {
    await lock(session, names);
    const begun = await dimensionOf(session, next.table);
    if (begun === dimension) return;
    if (begun !== undefined) {
      await dropNearest(session, next);
      await session.query(`drop table ${next.table}`);
    }
    for (const statement of tableStatements(next, dimension)) await session.query(statement);
  });
  return { names: next, from: actual };
}

/** The new table takes the old one's name, in one transaction. Resolves to that name. */
export async function finishRebuild(
  sql: SqlPort,
  schema: string,
  { names: next, from }: Rebuild,
): Promise<Names> {
  const names = namesOf(schema, 'vectors', next.extension);
  await sql.transaction(async (session) => {
    await lock(session, names);
    if ((await dimensionOf(session, next.table)) === undefined) {
      // Somebody else who was at it has done it, or has opened the old one again.
      if ((await dimensionOf(session, names.table)) === from) throw givenUp(next.table);
      return;
    }
    // Those that search by the index know the old table, or the new one by its first name: made anew with the first search.
    for (const each of [names, next]) await dropNearest(session, each);
    await session.query(`drop table ${names.table}`);
    await session.query(`alter table ${next.table} rename to vectors`);
    await session.query(`alter index ${next.table}_pkey rename to vectors_pkey`);
    await session.query(`alter index if exists ${next.index} rename to ${names.indexName}`);
  });
  return names;
}

function givenUp(table: string): Error {
  return refusal(
    'E_CONFLICT',
    `the new table ${table} was removed while it was filled: the old one was opened again`,
    'make it anew when nobody uses the former embedder any more: `pagefault fsck --repair`',
  );
}

/** What a rebuild left that was given up: whoever opens the table as it is has gone back to its embedder. */
export async function dropAbandoned(sql: SqlPort, schema: string, names: Names): Promise<void> {
  const next = nextOf(schema, names);
  if ((await dimensionOf(sql, next.table)) === undefined) return;
  await dropNearest(sql, next);
  await sql.query(`drop table if exists ${next.table}`);
}

function nextOf(schema: string, { extension }: Names): Names {
  return namesOf(schema, 'vectors_next', extension);
}

async function lock(session: SqlSession, { table }: Names): Promise<void> {
  await session.query('select pg_advisory_xact_lock($1::int, hashtext($2))', [LOCK_KEY, table]);
}
