import { PagefaultError } from '@pagefault/contracts';
import {
  parseOptions,
  type SqlPort,
  type SqlResult,
  type SqlSession,
  type SqlValue,
  type TransactionOptions,
} from '@pagefault/driver-kit';
import { NAME, OPTIONS_NAME } from './errors.js';
import { placeOf } from './pg-address.js';
import { wrongIsolation } from './pg-errors.js';
import {
  type ParsedPgSqlOptions,
  type PgSqlOptions,
  pgSqlOptions,
  type TimeLimits,
  timeLimits,
} from './pg-options.js';
import { type Connections, ignore, openConnections } from './pg-pool.js';
import { copy, type Line, run, send, sendAll } from './pg-statement.js';

/**
 * A PostgreSQL server through `pg`, which is loaded at `open`. Nothing outlives a transaction on the server: no named
 * statement, no setting, no lock, so that a pooler in transaction mode may stand between (B08). A connection that is
 * lost fails the call that meets it, and the next call connects anew (B04).
 * Errors of `open`: `E_CONFIG` when `pg` is not installed or the database cannot be used so, `E_AUTH`, `E_STORAGE`,
 * `E_TIMEOUT`.
 */
export function createPgSql(options: PgSqlOptions): SqlPort {
  return new PgSql(parseOptions(OPTIONS_NAME, pgSqlOptions, options));
}

class PgSql implements SqlPort {
  readonly description: string;
  readonly supports = Object.freeze({ shared: true, binary: true, cancel: false, durable: true });
  readonly #options: ParsedPgSqlOptions;
  #connections: Connections | undefined;
  #opening: Promise<void> | undefined;

  constructor(options: ParsedPgSqlOptions) {
    this.#options = options;
    this.description = placeOf(options.connectionString);
  }

  open(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(stopped(signal));
    if (this.#connections !== undefined) return Promise.resolve();
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #open(): Promise<void> {
    try {
      this.#connections = await this.#tried(true);
    } catch (error) {
      if (!isLimitRefused(error)) throw error;
      this.#connections = await this.#tried(false);
    }
  }

  /** `withLimits` sends the time-outs when connecting, so that each statement is under them. */
  async #tried(withLimits: boolean): Promise<Connections> {
    const connections = await openConnections(this.description, this.#options, withLimits);
    try {
      await this.#use(connections, (line) => {
        // Who lets in and then says nothing is as good as not there.
        line.patience = Math.min(line.patience, this.#options.acquireTimeout);
        return checkIsolation(line);
      });
      return connections;
    } catch (error) {
      await connections.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    // Whoever opened was told of the failure.
    await this.#opening?.catch(() => undefined);
    const connections = this.#connections;
    this.#connections = undefined;
    await connections?.close();
  }

  async query<R = Record<string, unknown>>(
    text: string,
    values: readonly SqlValue[] = [],
    signal?: AbortSignal,
  ): Promise<SqlResult<R>> {
    if (signal?.aborted) throw stopped(signal);
    return this.#use(this.#opened(), (line) => run(line, text, values));
  }

  async transaction<T>(
    work: (session: SqlSession) => Promise<T>,
    signal?: AbortSignal,
    { isLong = false }: TransactionOptions = {},
  ): Promise<T> {
    if (signal?.aborted) throw stopped(signal);
    const usual = timeLimits(this.#options);
    const limits = isLong ? { ...usual, statementTimeout: 0, patience: Infinity } : usual;
    return this.#use(this.#opened(), (line) => {
      line.patience = limits.patience;
      if (isLong && signal) line.cut = signal;
      return runTransaction(line, beginning(limits), work, signal);
    });
  }

  /** One connection for all of `use`: asking for another one inside could wait for ever (B06). */
  async #use<T>(connections: Connections, use: (line: Line) => Promise<T>): Promise<T> {
    const { patience } = timeLimits(this.#options);
    const client = await connections.acquire();
    const line: Line = { client, place: this.description, patience, isLost: false };
    try {
      return await use(line);
    } finally {
      if (line.isLost) connections.suspect();
      client.release(line.isLost);
      client.off('error', ignore);
    }
  }

  #opened(): Connections {
    if (this.#connections !== undefined) return this.#connections;
    throw new PagefaultError('E_NOT_OPEN', `${this.description} is not open`, {
      driver: NAME,
      hint: 'call open() first',
    });
  }
}

function stopped(signal: AbortSignal): PagefaultError {
  return new PagefaultError('E_ABORTED', 'stopped before the statement was sent', {
    driver: NAME,
    cause: signal.reason,
  });
}

/** Poolers refuse settings that would stay with a connection. */
function isLimitRefused(error: unknown): boolean {
  return PagefaultError.is(error) && /unsupported startup parameter/i.test(error.message);
}

/** What recall checks and then writes must be what is there, not what was there when a statement began. */
async function checkIsolation(line: Line): Promise<void> {
  const { rows } = await run<{ level: string }>(
    line,
    `select current_setting('default_transaction_isolation') as level`,
    [],
  );
  const level = rows[0]?.level ?? '';
  if (level !== 'read committed') throw wrongIsolation(line.place, level);
}

/** The limits are of the transaction alone. One that idles would keep its locks from everybody (a frozen client). */
function beginning({ statementTimeout, idleTimeout }: TimeLimits): string {
  return [
    'begin isolation level read committed',
    `set local statement_timeout = ${statementTimeout}`,
    `set local idle_in_transaction_session_timeout = ${idleTimeout}`,
    // A statement without a limit ends soon after its client is gone.
    ...(statementTimeout === 0 ? [`set local client_connection_check_interval = '5s'`] : []),
  ].join(';');
}

async function runTransaction<T>(
  line: Line,
  begin: string,
  work: (session: SqlSession) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const goOn = (own?: AbortSignal): void => {
    const stop = [signal, own].find((one) => one?.aborted);
    if (stop !== undefined) throw stopped(stop);
  };
  const session: SqlSession = {
    async query(text, values = [], own) {
      goOn(own);
      return run(line, text, values);
    },
    async copyIn(table, rows) {
      goOn();
      await copy(line, table, rows);
    },
  };
  try {
    await sendAll(line, begin);
    const value = await work(session);
    const { command } = await send(line, 'commit', []);
    if (command !== 'COMMIT') throw rolledBack();
    return value;
  } catch (error) {
    // The first error is the one that tells; a connection on which even this fails is dropped.
    if (!line.isLost) await send(line, 'rollback', []).catch(() => undefined);
    throw error;
  }
}

function rolledBack(): PagefaultError {
  return new PagefaultError('E_STORAGE', 'the transaction was rolled back: a statement in it had failed', {
    driver: NAME,
    hint: 'let the error of a failed statement leave the transaction',
  });
}
