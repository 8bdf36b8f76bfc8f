/**
 * The index: HNSW over the whole table, for scopes that are too large to be scanned. Invariants: it is made only when a
 * scope grew large, after what was loaded until then; a scan is always right, so that nothing depends on the index.
 */
import type { PagefaultError } from '@pagefault/contracts';
import type { SqlPort, SqlSession } from '@pagefault/driver-kit';
import { refusal } from './errors.js';
import { formOf, isIndexable, MAX_HALFVEC } from './form.js';
import { hasNearest, makeNearest } from './nearest.js';
import type { Names } from './schema.js';

// Scans that go on until there are enough rows came with it (B14, B15).
const NEEDED = [0, 8];

/** Why there can be no index; undefined when there can. */
export async function obstacle(session: SqlSession, dimension: number): Promise<PagefaultError | undefined> {
  if (!isIndexable(dimension)) {
    const what = `vectors of ${dimension} numbers cannot be indexed, pgvector's limit is ${MAX_HALFVEC}`;
    return warning(what, 'use an embedder with fewer dimensions');
  }
  const { rows } = await session.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'vector'",
  );
  const version = rows[0]?.version ?? '';
  if (!isOlder(version.split('.').map(Number))) return undefined;
  return warning(
    `pgvector ${version} cannot fill a filtered search from an index`,
    'install pgvector 0.8 or newer, then "alter extension vector update"',
  );
}

function isOlder([major = 0, minor = 0]: readonly number[]): boolean {
  const [neededMajor = 0, neededMinor = 0] = NEEDED;
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}

function warning(what: string, hint: string, cause?: unknown): PagefaultError {
  return refusal('E_UNSUPPORTED', `${what}: every query scans its scope, however large`, hint, cause);
}

/** Whether it is there, with the function that searches by it: a store of before that function has the index alone. */
export async function hasIndex(session: SqlSession, names: Names): Promise<boolean> {
  const { rows } = await session.query<{ there: boolean }>(
    'select coalesce((select indisvalid from pg_index where indexrelid = to_regclass($1)), false) as there',
    [names.index],
  );
  return rows[0]?.there === true && (await hasNearest(session, names));
}

/** Any constant will do; the second key is of the table's name. */
export const LOCK_KEY = 7_066_171;

/**
 * Makes the index, unless somebody else is at it. Takes minutes for a large table: vectors can be read meanwhile, and
 * whoever writes waits. Resolves to whether it is there.
 */
export async function makeIndex(
  sql: SqlPort,
  names: Names,
  dimension: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { column, operators } = formOf(names, dimension);
  const work = async (session: SqlSession): Promise<boolean> => {
    const { rows } = await session.query<{ mine: boolean }>(
      'select pg_try_advisory_xact_lock($1::int, hashtext($2)) as mine',
      [LOCK_KEY, names.table],
    );
    if (rows[0]?.mine !== true) return false;
    await session.query(
      `create index if not exists ${names.indexName} on ${names.table} using hnsw (${column} ${operators})`,
    );
    await makeNearest(session, names, dimension);
    return true;
  };
  return sql.transaction(work, signal, { isLong: true });
}

/** Why the making of it failed, for whoever listens. */
export function indexFailed(table: string, cause: unknown): PagefaultError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const hint =
    'it is tried again when the store is opened again; maintenance_work_mem and the disk may be too small';
  return warning(`the index of ${table} could not be made (${said})`, hint, cause);
}
