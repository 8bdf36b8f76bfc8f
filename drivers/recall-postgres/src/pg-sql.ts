import { PagefaultError } from '@pagefault/contracts';
import {
  parseOptions,
  type SqlPort,
  type SqlResult,
  type SqlSession,
  type SqlValue,
} from '@pagefault/driver-kit';
import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import { NAME, OPTIONS_NAME } from './errors.js';
import { pgError, placeOf } from './pg-errors.js';
import { type PgSqlOptions, pgSqlOptions } from './pg-options.js';

type Options = ReturnType<typeof pgSqlOptions.parse>;

/**
 * A PostgreSQL server through `pg`, which is loaded at `open`. Statements are unnamed, so that a pooler in
 * transaction mode may stand between (B08).
 * Errors of `open`: `E_CONFIG` when `pg` is not installed, `E_AUTH`, `E_STORAGE`, `E_TIMEOUT`.
 */
export function createPgSql(options: PgSqlOptions): SqlPort {
  return new PgSql(parseOptions(OPTIONS_NAME, pgSqlOptions, options));
}

class PgSql implements SqlPort {
  readonly description: string;
  readonly supports = Object.freeze({ shared: true, cancel: false, durable: true });
  readonly #options: Options;
  #pool: Pool | undefined;
  #opening: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.description = placeOf(options.connectionString);
  }

  open(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(stopped(signal));
    if (this.#pool !== undefined) return Promise.resolve();
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #open(): Promise<void> {
    const pool = this.#options.pool ?? (await makePool(this.#options));
    // Without a listener the death of an idle connection ends the whole process (B04). The pool forgets it by
    // itself, and the next statement connects anew.
    pool.on('error', ignore);
    try {
      await pool.query('select 1');
      this.#pool = pool;
    } catch (error) {
      await this.#letGo(pool);
      throw pgError(this.description, error);
    }
  }

  async close(): Promise<void> {
    // Whoever opened was told of the failure.
    await this.#opening?.catch(() => undefined);
    const pool = this.#pool;
    this.#pool = undefined;
    if (pool !== undefined) await this.#letGo(pool);
  }

  async #letGo(pool: Pool): Promise<void> {
    if (this.#options.pool === undefined) await pool.end();
    pool.off('error', ignore);
  }

  async query<R = Record<string, unknown>>(
    text: string,
    values: readonly SqlValue[] = [],
    signal?: AbortSignal,
  ): Promise<SqlResult<R>> {
    if (signal?.aborted) throw stopped(signal);
    return run(this.description, this.#opened(), text, values);
  }

  async transaction<T>(work: (session: SqlSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw stopped(signal);
    const client = await this.#acquire();
    try {
      return await runTransaction(this.description, client, work, signal);
    } finally {
      client.off('error', ignore);
    }
  }

  async #acquire(): Promise<PoolClient> {
    const client = await this.#opened()
      .connect()
      .catch((error: unknown) => {
        throw pgError(this.description, error);
      });
    // A client that was handed out is no longer watched by the pool.
    client.on('error', ignore);
    return client;
  }

  #opened(): Pool {
    if (this.#pool !== undefined) return this.#pool;
    throw new PagefaultError('E_NOT_OPEN', `${this.description} is not open`, {
      driver: NAME,
      hint: 'call open() first',
    });
  }
}

// The failure itself reaches whoever uses the connection; the event only says so once more.
function ignore(): void {}

function stopped(signal: AbortSignal): PagefaultError {
  return new PagefaultError('E_ABORTED', 'stopped before the statement was sent', {
    driver: NAME,
    cause: signal.reason,
  });
}

async function makePool(options: Options): Promise<Pool> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new PagefaultError('E_CONFIG', 'the package "pg" is not installed', {
      driver: NAME,
      hint: 'npm install pg',
      cause,
    });
  });
  return new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: options.acquireTimeout,
    statement_timeout: options.statementTimeout,
    application_name: 'pagefault',
  });
}

/** What both a pool and one of its clients can do. */
interface Queryable {
  query(
    config: QueryArrayConfig,
  ): Promise<{ rows: unknown[][]; fields: { name: string }[]; rowCount: number | null; command: string }>;
}

// PostgreSQL's own numbers of the types whose values arrive as something else than text.
const PARSERS: { readonly [oid: number]: (text: string) => unknown } = {
  16: (text) => text === 't', // bool
  20: Number, // int8: counts and positions, all below 2^53
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  114: (text) => JSON.parse(text) as unknown, // json
  700: Number, // float4
  701: Number, // float8
  3802: (text) => JSON.parse(text) as unknown, // jsonb
};
const asText = (text: string): unknown => text;
const TYPES = { getTypeParser: (oid: number) => PARSERS[oid] ?? asText };

async function send(place: string, on: Queryable, text: string, values: readonly SqlValue[]) {
  try {
    return await on.query({ text, values: [...values], rowMode: 'array', types: TYPES as never });
  } catch (error) {
    throw pgError(place, error);
  }
}

async function run<R>(
  place: string,
  on: Queryable,
  text: string,
  values: readonly SqlValue[],
): Promise<SqlResult<R>> {
  const result = await send(place, on, text, values);
  const names = result.fields.map(({ name }) => name);
  const rows = result.rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])) as R);
  return { rows, affected: result.command === 'SELECT' ? 0 : (result.rowCount ?? 0) };
}

/** Everything on the client given: asking the pool for another one inside could wait for ever (B06). */
async function runTransaction<T>(
  place: string,
  client: PoolClient,
  work: (session: SqlSession) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const session: SqlSession = {
    async query(text, values = [], own) {
      const stop = [signal, own].find((one) => one?.aborted);
      if (stop !== undefined) throw stopped(stop);
      return run(place, client, text, values);
    },
  };
  try {
    await send(place, client, 'begin', []);
    const value = await work(session);
    const { command } = await send(place, client, 'commit', []);
    if (command !== 'COMMIT') throw rolledBack();
    client.release();
    return value;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** A connection on which even that fails is not given back, but dropped. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

function rolledBack(): PagefaultError {
  return new PagefaultError('E_STORAGE', 'the transaction was rolled back: a statement in it had failed', {
    driver: NAME,
    hint: 'let the error of a failed statement leave the transaction',
  });
}
