import { hasCode, PagefaultError } from '@pagefault/contracts';
import { quoteIdentifier, type SqlPort, type SqlSession } from './sql.js';

/** One step of a schema's history. Never changed and never removed once released. */
export interface Migration {
  /** Unique within its component, for people. */
  readonly name: string;
  /** Each a single statement, run in order. */
  readonly statements: readonly string[];
}

export interface MigrationPlan {
  /** The PostgreSQL schema; made when it is not there. */
  readonly schema: string;
  /** Whose tables these are: several drivers may share a schema. */
  readonly component: string;
  /** In order; new ones at the end. */
  readonly migrations: readonly Migration[];
}

/** Any constant will do, so long as every version of every driver uses the same one. */
const LOCK_KEY = 7_066_170;

/**
 * Brings a schema up to date, in one transaction. Safe when several start at once: an advisory lock lets one
 * work while the others wait, and then find the work done. The lock ends with the transaction, so that nobody who
 * dies leaves it behind; a store that is up to date is opened without it.
 * Errors: `E_CONFIG` when the store was written by a newer version; `E_TIMEOUT` when somebody else holds the lock for
 * longer than a statement may take; those of the port.
 */
export async function migrate(sql: SqlPort, plan: MigrationPlan, signal?: AbortSignal): Promise<void> {
  if (await isDone(sql, plan)) return;
  await sql.transaction(async (session) => {
    await takeLock(session, plan);
    const table = await prepareTable(session, plan.schema);
    const done = await applied(session, table, plan);
    for (const [position, migration] of plan.migrations.entries()) {
      if (position >= done) await apply(session, table, plan.component, position, migration);
    }
  }, signal);
}

async function isDone(session: SqlSession, plan: MigrationPlan): Promise<boolean> {
  if (!(await isThere(session, plan.schema))) return false;
  const table = `${quoteIdentifier(plan.schema)}.migrations`;
  return (await applied(session, table, plan)) === plan.migrations.length;
}

async function takeLock(session: SqlSession, { schema, component }: MigrationPlan): Promise<void> {
  await session.query('select pg_advisory_xact_lock($1::bigint)', [LOCK_KEY]).catch((cause: unknown) => {
    if (!hasCode(cause, 'E_TIMEOUT')) throw cause;
    throw new PagefaultError(
      'E_TIMEOUT',
      `somebody else has been migrating for too long: ${component} in schema ${schema} had to wait`,
      {
        hint: `wait for it, or see in pg_locks who holds the advisory lock ${LOCK_KEY}`,
        cause,
        retryable: true,
      },
    );
  });
}

/**
 * Asks the catalogue itself. `to_regclass` answers from the session's cache, which may still hold that the schema is
 * missing when the wait for the lock ends: only reading a table brings the cache up to date.
 */
async function isThere(session: SqlSession, schema: string): Promise<boolean> {
  const { rows } = await session.query<{ found: number }>(
    `select count(*) as found from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = 'migrations'`,
    [schema],
  );
  return rows[0]?.found === 1;
}

async function prepareTable(session: SqlSession, schema: string): Promise<string> {
  const table = `${quoteIdentifier(schema)}.migrations`;
  if (await isThere(session, schema)) return table;
  await session.query(`create schema if not exists ${quoteIdentifier(schema)}`);
  await session.query(
    `create table if not exists ${table} (
       component text not null, position int not null, name text not null,
       applied_at timestamptz not null default clock_timestamp(),
       primary key (component, position))`,
  );
  return table;
}

async function applied(session: SqlSession, table: string, plan: MigrationPlan): Promise<number> {
  const { rows } = await session.query<{ name: string }>(
    `select name from ${table} where component = $1 order by position`,
    [plan.component],
  );
  const stranger = rows.find((row, position) => row.name !== plan.migrations[position]?.name);
  if (stranger !== undefined) throw newerStore(plan, stranger.name);
  return rows.length;
}

function newerStore(plan: MigrationPlan, name: string): PagefaultError {
  return new PagefaultError(
    'E_CONFIG',
    `schema ${plan.schema} holds ${plan.component} migration "${name}", which this version does not know ` +
      `(it knows ${plan.migrations.length})`,
    { hint: 'the store was written by a newer version: upgrade, or choose another schema or data directory' },
  );
}

async function apply(
  session: SqlSession,
  table: string,
  component: string,
  position: number,
  migration: Migration,
): Promise<void> {
  for (const statement of migration.statements) await session.query(statement);
  await session.query(`insert into ${table} (component, position, name) values ($1, $2, $3)`, [
    component,
    position,
    migration.name,
  ]);
}
