import { migrate, quoteIdentifier, type SqlPort, sqlState } from '@pagefault/driver-kit';
import { refusal } from './errors.js';

/** Names that the statements need, quoted. */
export interface Names {
  readonly table: string;
  readonly index: string;
  /** Where pgvector lives: it need not be on the search path (B33). */
  readonly extension: string;
}

/** Makes what is missing, and compares the real column with `dimension`. Errors: `E_CONFIG`, `E_DIMENSION`. */
export async function prepare(sql: SqlPort, schema: string, dimension: number): Promise<Names> {
  await installExtension(sql, schema);
  const extension = await extensionSchema(sql);
  const own = quoteIdentifier(schema);
  const names = { table: `${own}.vectors`, index: `${own}.vectors_by_meaning`, extension };
  await migrate(sql, { schema, component: 'archival', migrations: [table(names, dimension)] });
  await checkDimension(sql, names.table, dimension);
  return names;
}

// By way of `migrate`, because "if not exists" alone is not safe when several start at once (B10, B11).
async function installExtension(sql: SqlPort, schema: string): Promise<void> {
  const statements = ['create extension if not exists vector'];
  const migrations = [{ name: 'extension', statements }];
  await migrate(sql, { schema, component: 'pgvector', migrations }).catch((cause: unknown) => {
    throw MISSING.has(sqlState(cause) ?? '') ? missing(sql, cause) : cause;
  });
}

// feature_not_supported, undefined_file, insufficient_privilege: how servers say that they do not have it.
const MISSING = new Set(['0A000', '58P01', '42501']);

async function extensionSchema(sql: SqlPort): Promise<string> {
  const { rows } = await sql.query<{ schema: string }>(
    `select n.nspname::text as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
     where e.extname = 'vector'`,
  );
  const [found] = rows;
  if (found === undefined) throw missing(sql);
  return quoteIdentifier(found.schema);
}

function missing(sql: SqlPort, cause?: unknown): Error {
  return refusal(
    'E_CONFIG',
    `the database ${sql.description} has no extension "vector"`,
    'install pgvector on the server and run "create extension vector", or use the embedded database',
    cause,
  );
}

// A row must fit a page of 8 kB to be stored in line; beyond this the vector has to move out of it.
const INLINE_DIMENSIONS = 1_536;

function table({ table: name, extension }: Names, dimension: number): { name: string; statements: string[] } {
  // Never compressed, floats do not shrink; in line where they fit, because a scan reads them all.
  const storage = dimension <= INLINE_DIMENSIONS ? 'plain' : 'external';
  return {
    name: 'vectors',
    statements: [
      `create table ${name} (
         scope text collate "C" not null, id text collate "C" not null,
         embedding ${extension}.vector(${dimension}) not null, at double precision not null,
         primary key (scope, id))`,
      `alter table ${name} alter column embedding set storage ${storage}`,
    ],
  };
}

/** The guard looks at the column itself, not at what some configuration says about it (B23, B24). */
async function checkDimension(sql: SqlPort, table: string, dimension: number): Promise<void> {
  const { rows } = await sql.query<{ dimension: number }>(
    `select atttypmod as dimension from pg_attribute where attrelid = to_regclass($1) and attname = 'embedding'`,
    [table],
  );
  const actual = rows[0]?.dimension;
  if (actual === dimension) return;
  throw refusal(
    'E_DIMENSION',
    `the vectors in ${table} of ${sql.description} have ${actual} numbers, the embedder's have ${dimension}`,
    'use the embedder that the index was made with, or another schema; the index can be made again from recall',
  );
}
