/**
 * Writes of many entries at once, by COPY. COPY only inserts, so that what is there is removed before, in the same
 * transaction; when somebody else writes one of the entries at the same time, it is done by statements, which wait.
 */
import { hasCode } from '@pagefault/contracts';
import type { SqlPort, SqlSession } from '@pagefault/driver-kit';
import { COPY_COLUMNS, copyRows } from './copy.js';
import { COPY_BYTES, COPY_FROM } from './options.js';
import type { Names } from './schema.js';
import { removeEntries, upsertEntries } from './statements.js';
import type { CheckedEntry } from './vectors.js';

export async function writeEntries(
  sql: SqlPort,
  names: Names,
  scope: string,
  entries: readonly CheckedEntry[],
  signal?: AbortSignal,
): Promise<void> {
  if (entries.length < COPY_FROM) return upsertEntries(sql, names, scope, entries);
  try {
    await sql.transaction((session) => load(session, names, scope, entries), signal);
  } catch (error) {
    if (!hasCode(error, 'E_CONFLICT')) throw error;
    await sql.transaction((session) => upsertEntries(session, names, scope, entries), signal);
  }
}

async function load(
  session: SqlSession,
  names: Names,
  scope: string,
  entries: readonly CheckedEntry[],
): Promise<void> {
  if (session.copyIn === undefined) return upsertEntries(session, names, scope, entries);
  const ids = entries.map(({ id }) => id);
  await removeEntries(session, names, scope, ids);
  for (const some of slices(entries)) {
    await session.copyIn(`${names.table} ${COPY_COLUMNS}`, copyRows(scope, some));
  }
}

function* slices(entries: readonly CheckedEntry[]): Generator<readonly CheckedEntry[]> {
  const bytes = (entries[0]?.vector.byteLength ?? 0) || 1;
  const count = Math.max(1, Math.floor(COPY_BYTES / bytes));
  for (let from = 0; from < entries.length; from += count) yield entries.slice(from, from + count);
}
