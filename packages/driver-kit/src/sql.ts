import { type ErrorCode, PagefaultError, type Token } from '@pagefault/contracts';

/**
 * The one way to a PostgreSQL, be it a server or in process. Values are always bound, never spliced.
 * `open` and `close` are idempotent; a driver that is handed a port opens it but never closes it.
 */
export interface SqlPort extends SqlSession {
  /** For messages: the place without any secret. */
  readonly description: string;
  readonly supports: SqlManifest;
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
  /**
   * Runs `work` in one transaction on one session; inside it only the session given may be used.
   * Rolls back when `work` throws.
   */
  transaction<T>(
    work: (session: SqlSession) => Promise<T>,
    signal?: AbortSignal,
    options?: TransactionOptions,
  ): Promise<T>;
}

export interface TransactionOptions {
  /**
   * For what takes as long as it takes, such as an index: statements have no time-out. Where the port cannot stop a
   * statement, `signal` cuts the connection instead, and the database undoes what was begun. Default: false.
   */
  readonly isLong?: boolean;
}

export interface SqlSession {
  /**
   * One statement. Bind strings, numbers, booleans and null, and bytes where `supports.binary`; a list travels as JSON
   * text, so that no limit on the number of values is met. Rows hold `int8` as numbers, `json` parsed, other types as text gives them.
   * Errors: `E_CONFLICT` for a unique violation, `E_INVALID` for text that the database cannot hold,
   * `E_STORAGE`, `E_DATA_DIR`, `E_TIMEOUT`, `E_ABORTED`, `E_NOT_OPEN`. `sqlState` tells more.
   */
  query<R = Record<string, unknown>>(
    text: string,
    values?: readonly SqlValue[],
    signal?: AbortSignal,
  ): Promise<SqlResult<R>>;

  /**
   * Of a transaction's session: loads rows by COPY, many times faster than statements for more than a few. `table` is quoted
   * and names its columns; `rows` is in PostgreSQL's binary format, all of it. One call is one statement, with its
   * time-out: split what is larger than some ten megabytes. Left out where there is no COPY. Errors: those of `query`.
   */
  copyIn?(table: string, rows: Uint8Array): Promise<void>;
}

/** Bytes are the binary form of the parameter's type, as COPY has it. */
export type SqlValue = string | number | boolean | Uint8Array | null;

export interface SqlResult<R> {
  readonly rows: readonly R[];
  /** Rows inserted, updated or deleted. */
  readonly affected: number;
}

export interface SqlManifest {
  /** True when other operating-system processes may use the same database. */
  readonly shared: boolean;
  /** True when bytes may be bound. */
  readonly binary: boolean;
  /** True when a running statement can be stopped. */
  readonly cancel: boolean;
  /** False when everything is lost with the operating-system process. */
  readonly durable: boolean;
}

export const SQL = Symbol.for('@pagefault/driver-kit/sql') as Token<SqlPort>;

/** A name as PostgreSQL quotes it, for the few places where a name cannot be bound. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * For the options of drivers: a PostgreSQL schema. Longer names PostgreSQL would cut off silently (NAMEDATALEN
 * is 64 bytes).
 */
export const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

export function isSqlPort(value: unknown): value is SqlPort {
  return typeof value === 'object' && value !== null && 'query' in value && 'transaction' in value;
}

/** The SQLSTATE behind an error of a port, when the database itself refused. */
export function sqlState(error: unknown): string | undefined {
  const cause = PagefaultError.is(error) ? error.cause : error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

// PostgreSQL, appendix A: error codes.
const CODES: { readonly [state: string]: ErrorCode } = {
  '23505': 'E_CONFLICT', // unique_violation
  '22021': 'E_INVALID', // character_not_in_repertoire: NUL in text
  '22P05': 'E_INVALID', // untranslatable_character: \u0000 in json
  '22P02': 'E_INVALID', // invalid_text_representation: a lone surrogate in json
  '53100': 'E_DATA_DIR', // disk_full
  '57014': 'E_TIMEOUT', // query_canceled, by statement_timeout
  '55P03': 'E_TIMEOUT', // lock_not_available, by lock_timeout
  '25P03': 'E_TIMEOUT', // idle_in_transaction_session_timeout
};

const HINTS: { readonly [code in ErrorCode]?: string } = {
  E_DATA_DIR: 'free some space on the disk, then open the store again; what was acknowledged is kept',
  E_INVALID: 'remove U+0000 and lone surrogates from the text',
};

const STATE_HINTS: { readonly [state: string]: string } = {
  // read_only_sql_transaction
  '25006':
    'the server is a read-only copy, as after a fail-over: point the configuration to the one that writes',
  // insufficient_privilege
  '42501':
    'grant it to the user of the connection: to make the schema at first "grant create on database", later all on the schema and its tables',
  // too_many_connections
  '53300': 'close others, lower maxConnections, or raise the limit of the server, the database or the role',
  // admin_shutdown, crash_shutdown, cannot_connect_now
  '57P01': 'the server stops or starts again: try again',
  '57P02': 'the server stops or starts again: try again',
  '57P03': 'the server stops or starts again: try again',
};

// A serialisation failure, a deadlock, a lost connection, a server that starts or stops, or that was just replaced.
const RETRYABLE = /^(40001|40P01|08...|57P0[1-3]|53300|25006)$/;

/** What the database said, as an error of ours. Both adapters use it, so that drivers see one language. */
export function sqlError(driver: string, cause: unknown): PagefaultError {
  if (PagefaultError.is(cause)) return cause;
  const state = sqlState(cause);
  const code = (state === undefined ? undefined : CODES[state]) ?? 'E_STORAGE';
  const said = cause instanceof Error ? cause.message : String(cause);
  const hint = STATE_HINTS[state ?? ''] ?? HINTS[code];
  return new PagefaultError(code, code === 'E_DATA_DIR' ? `disk full: ${said}` : said, {
    driver,
    cause,
    retryable: state !== undefined && RETRYABLE.test(state),
    ...(hint === undefined ? {} : { hint }),
  });
}
