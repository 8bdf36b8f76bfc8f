import { PagefaultError } from '@pagefault/contracts';
import { sqlError } from '@pagefault/driver-kit';
import { NAME, OPTIONS_NAME } from './errors.js';

// Node's codes for a server that is not there, or goes away; pg has no codes of its own for its messages.
const NETWORK = /^(ECONN|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|EHOSTUNREACH)/;
const ACQUIRE = /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;
const ENDED = /Connection terminated|Client has encountered a connection error/;

/** An error of pg as one of ours. pg puts no password into its messages; the address is ours and has none. */
export function pgError(place: string, cause: unknown): PagefaultError {
  if (PagefaultError.is(cause)) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (ACQUIRE.test(message)) return noConnection(place, cause);
  // Node puts the whole address, password included, into this error: it must not travel on as the cause.
  if (message === 'Invalid URL') return malformed();
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (NETWORK.test(code) || ENDED.test(message))
    return lost('E_STORAGE', `the connection to ${place} failed: ${message}`, cause);
  if (code.startsWith('28')) {
    return new PagefaultError('E_AUTH', `${place} refused the credentials`, {
      driver: NAME,
      hint: 'check user and password of the connectionString, or PGUSER and PGPASSWORD',
      cause,
    });
  }
  if (code === '3D000') return missingDatabase(message, cause);
  return sqlError(NAME, cause);
}

/** B07. */
export function noConnection(place: string, cause?: unknown): PagefaultError {
  return lost('E_TIMEOUT', `no connection to ${place} within acquireTimeout`, cause);
}

function missingDatabase(message: string, cause: unknown): PagefaultError {
  return new PagefaultError('E_CONFIG', message, {
    driver: NAME,
    hint: 'create it with createdb, or correct the end of the connectionString',
    cause,
  });
}

export function wrongIsolation(place: string, level: string): PagefaultError {
  const message = `${place} has default_transaction_isolation "${level}"; recall needs "read committed"`;
  return new PagefaultError('E_CONFIG', message, {
    driver: NAME,
    hint: `alter role … set default_transaction_isolation = 'read committed', for the user of the connectionString`,
  });
}

function malformed(): PagefaultError {
  return new PagefaultError('E_CONFIG', `${OPTIONS_NAME}.connectionString is not an address`, {
    driver: NAME,
    hint: 'write postgres://user:password@host:5432/database, with special characters percent-encoded',
  });
}

function lost(code: 'E_TIMEOUT' | 'E_STORAGE', message: string, cause: unknown): PagefaultError {
  const hint = 'check that the server runs and can be reached, and that nobody holds all its connections';
  return new PagefaultError(code, message, { driver: NAME, hint, cause, retryable: true });
}

/** Where a connection string leads, without user, password and parameters. */
export function placeOf(connectionString: string | undefined): string {
  if (connectionString === undefined) return 'the given pool';
  try {
    const { host, pathname } = new URL(connectionString);
    return `postgres://${host || 'localhost'}${pathname}`;
  } catch {
    return 'the given connectionString'; // pg also takes forms that are no URL
  }
}
