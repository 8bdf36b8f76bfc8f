import type { Token } from '@pagefault/contracts';

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
  transaction<T>(work: (session: SqlSession) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface SqlSession {
  /** One statement. Errors: `E_CONFLICT` for a unique violation, `E_STORAGE`, `E_DATA_DIR`, `E_TIMEOUT`, `E_ABORTED`. */
  query<R = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<SqlResult<R>>;
}

export interface SqlResult<R> {
  readonly rows: readonly R[];
  /** Rows inserted, updated or deleted. */
  readonly affected: number;
}

export interface SqlManifest {
  /** True when other operating-system processes may use the same database. */
  readonly shared: boolean;
  /** True when a running statement can be stopped. */
  readonly cancel: boolean;
}

export const SQL = Symbol.for('@pagefault/driver-kit/sql') as Token<SqlPort>;
