import { pipeline } from 'node:stream/promises';
import { PagefaultError } from '@pagefault/contracts';
import { sqlState, type SqlResult, type SqlValue } from '@pagefault/driver-kit';
import type { PoolClient } from 'pg';
import { NAME } from './errors.js';
import { pgError } from './pg-errors.js';

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

/** A connection that is in use, and how long an answer may take. */
export interface Line {
  readonly client: PoolClient;
  readonly place: string;
  /** Milliseconds; Infinity waits for ever. */
  patience: number;
  /** Ends the waiting for an answer; the connection is lost then. */
  cut?: AbortSignal;
  /** Set when the connection itself failed: then nothing more can be said on it, and it must be dropped. */
  isLost: boolean;
}

/** What one statement gave, as arrays. */
export interface Answer {
  readonly rows: readonly (readonly unknown[])[];
  readonly fields: readonly { readonly name: string }[];
  readonly rowCount: number | null;
  readonly command: string;
}

/** Unnamed, so that a pooler in transaction mode may give the next statement to another server process (B08). */
export async function send(line: Line, text: string, values: readonly SqlValue[]): Promise<Answer> {
  const config = { text, values: [...values], rowMode: 'array' as const, types: TYPES as never };
  return within(line, line.client.query<unknown[]>(config));
}

/** Several statements that need no values, in one round trip. */
export async function sendAll(line: Line, text: string): Promise<void> {
  await within(line, line.client.query(text));
}

/** From memory, so that nothing but the connection can fail half-way. */
export async function copy(line: Line, table: string, rows: Uint8Array): Promise<void> {
  const { from } = await import('pg-copy-streams');
  const stream = line.client.query(from(`copy ${table} from stdin with (format binary)`));
  await within(line, pipeline([rows], stream));
}

export async function run<R>(line: Line, text: string, values: readonly SqlValue[]): Promise<SqlResult<R>> {
  const result = await send(line, text, values);
  const names = result.fields.map(({ name }) => name);
  const rows = result.rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])) as R);
  return { rows, affected: result.command === 'SELECT' ? 0 : (result.rowCount ?? 0) };
}

/**
 * The server stops a statement that takes too long; this stops waiting for a server that says nothing at all: frozen,
 * cut off, or gone without a word.
 */
async function within<T>(line: Line, answer: Promise<T>): Promise<T> {
  const { cut, patience } = line;
  let stop = (): void => undefined;
  const end = new Promise<never>((_, reject) => {
    const cutNow = (): void => reject(cutOff(cut?.reason));
    cut?.addEventListener('abort', cutNow);
    const waited = (): void => reject(silent(line.place, patience));
    const timer = patience === Infinity ? undefined : setTimeout(waited, patience);
    stop = () => {
      clearTimeout(timer);
      cut?.removeEventListener('abort', cutNow);
    };
  });
  try {
    return await Promise.race([answer, end]);
  } catch (error) {
    if (!isOfStatement(error)) line.isLost = true;
    throw pgError(line.place, error);
  } finally {
    stop();
  }
}

function cutOff(cause: unknown): PagefaultError {
  return new PagefaultError('E_ABORTED', 'stopped while the statement ran', { driver: NAME, cause });
}

function silent(place: string, patience: number): PagefaultError {
  const message = `${place} did not answer within ${patience} ms; whether the statement took effect is not known`;
  return new PagefaultError('E_TIMEOUT', message, {
    driver: NAME,
    hint: 'check that the server runs and can be reached; statementTimeout sets how long a statement may take',
    retryable: true,
  });
}

// Connection failures, a server that stops, one that became a read-only copy, a transaction that idled too long.
const LOST = /^(08|57P|25006|25P03)/;

function isOfStatement(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !LOST.test(state);
}
