import { migrate, quoteIdentifier, type SqlPort, type SqlSession, sqlState } from '@pagefault/driver-kit';
import { refusal } from './errors.js';

/** Names that the statements need, quoted. */
export interface Names {
  readonly table: string;
  readonly index: string;
  /** The index without its schema, as it is named when it is made. */
  readonly indexName: string;
  /** The function that searches by the index. */
  readonly nearest: string;
  /** Where pgvector lives: it need not be on the search path (B33). */
  readonly extension: string;
}

/** Makes what is missing, and compares the real column with `dimension`. Errors: `E_CONFIG`, `E_DIMENSION`. */
export async function prepare(sql: SqlPort, schema: string, dimension: number): Promise<Names> {
  const names = await prepareAny(sql, schema, dimension);
  await checkDimension(sql, names.table, dimension);
  return names;
}

/** The same without the comparison: what is there may have another dimension. */
export async function prepareAny(sql: SqlPort, schema: string, dimension: number): Promise<Names> {
  await installExtension(sql, schema);
  const names = namesOf(schema, 'vectors', await extensionSchema(sql));
  const [create, store] = tableStatements(names, dimension);
  const migrations = [{ name: 'vectors', statements: [create, store] }];
  await migrate(sql, { schema, component: 'archival', migrations });
  return names;
}

export function namesOf(schema: string, table: string, extension: string): Names {
  const own = quoteIdentifier(schema);
  const indexName = `${table}_by_meaning`;
  return {
    table: `${own}.${table}`,
    index: `${own}.${indexName}`,
    indexName,
    nearest: `${own}.${table}_nearest`,
    extension,
  };
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

/** The table, then how it keeps its vectors. */
export function tableStatements({ table, extension }: Names, dimension: number): [string, string] {
  // Never compressed, floats do not shrink; in line where they fit, because a scan reads them all.
  const storage = dimension <= INLINE_DIMENSIONS ? 'plain' : 'external';
  return [
    `create table ${table} (
       scope text collate "C" not null, id text collate "C" not null,
       embedding ${extension}.vector(${dimension}) not null, at double precision not null,
       primary key (scope, id))`,
    `alter table ${table} alter column embedding set storage ${storage}`,
  ];
}

/** Of the real column; undefined when there is no such table. */
export async function dimensionOf(session: SqlSession, table: string): Promise<number | undefined> {
  const { rows } = await session.query<{ dimension: number }>(
    `select atttypmod as dimension from pg_attribute where attrelid = to_regclass($1) and attname = 'embedding'`,
    [table],
  );
  return rows[0]?.dimension;
}

/** The guard looks at the column itself, not at what some configuration says about it (B23, B24). */
async function checkDimension(sql: SqlPort, table: string, dimension: number): Promise<void> {
  const actual = await dimensionOf(sql, table);
  if (actual === dimension) return;
  throw refusal(
    'E_DIMENSION',
    `the vectors in ${table} of ${sql.description} have ${actual} numbers, the embedder's have ${dimension}`,
    'use the embedder that the index was made with, or have it made again from recall: `pagefault fsck --repair`',
  );
}
