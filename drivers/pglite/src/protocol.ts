import type { SqlValue } from '@pagefault/driver-kit';

/** What travels to the worker thread and back. `worker/main.mjs` is the other end. */
export type Statement = readonly [text: string, values: readonly SqlValue[]];

export type Operation =
  | { readonly op: 'open' | 'dump' | 'inspect' | 'close' }
  | { readonly op: 'query'; readonly text: string; readonly values: readonly SqlValue[] }
  /** Rows in the binary format of COPY. */
  | { readonly op: 'copy'; readonly table: string; readonly rows: Uint8Array }
  /** Several statements in one message; the answer is the last one's. Stops at the first that fails. */
  | { readonly op: 'sequence'; readonly statements: readonly Statement[] };

export type Call = Operation & { readonly id: number };

export interface RawResult {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly affected: number;
  readonly command: string;
}

export interface RawError {
  readonly message: string;
  /** The SQLSTATE, when the database said so. */
  readonly code?: string;
  readonly detail?: string;
  readonly constraint?: string;
  /** The file layer's own number, when a file operation failed outside any statement. */
  readonly errno?: number;
  /** The operating system's last refusal, for example `ENOSPC`. */
  readonly refusal?: string;
}

export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: RawError;
}

export interface Reply {
  readonly answers?: readonly Answer[];
  /** The database cannot go on: its last words, and what the disk refused. The thread ends. */
  readonly fatal?: { readonly said: string; readonly refusal?: string };
}

export interface WorkerTask {
  /** Where the database's files are; left out for one in memory. */
  readonly root?: string;
  readonly fsync: boolean;
  /** A tar of a fresh database. */
  readonly seed?: Uint8Array;
}
