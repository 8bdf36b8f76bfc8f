import { PagefaultError } from '@pagefault/contracts';
import { sqlError } from '@pagefault/driver-kit';
import { NAME, OPTIONS_NAME } from './errors.js';

// Node's codes for a server that is not there, or goes away; pg has no codes of its own for its messages.
const NETWORK = /^(ECONN|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|EHOSTUNREACH)/;
const ACQUIRE = /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;
const ENDED = /Connection terminated|Client has encountered a connection error/;

const NO_TLS = 'The server does not support SSL connections';
// Node's and OpenSSL's codes.
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY/;

/** An error of pg as one of ours. pg puts no password into its messages; the address is ours and has none. */
export function pgError(place: string, cause: unknown, acquireTimeout?: number): PagefaultError {
  if (PagefaultError.is(cause)) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (ACQUIRE.test(message)) return noConnection(place, acquireTimeout, cause);
  // Node puts the whole address, password included, into this error: it must not travel on as the cause.
  if (message === 'Invalid URL') return malformed();
  const code = textOf(cause, 'code');
  if (NETWORK.test(code) || ENDED.test(message) || textOf(cause, 'syscall') === 'connect')
    return lost('E_STORAGE', `the connection to ${place} failed: ${message}`, cause);
  if (code.startsWith('28')) {
    return new PagefaultError('E_AUTH', `${place} refused the credentials`, {
      driver: NAME,
      hint: 'check user and password of the connectionString, or PGUSER and PGPASSWORD',
      cause,
    });
  }
  if (message === NO_TLS) return noTls(place, cause);
  if (CERTIFICATE.test(code)) return badCertificate(place, message, cause);
  if (textOf(cause, 'syscall') === 'open') return noFile(message, cause);
  if (code === '3D000') return missingDatabase(message, cause);
  return sqlError(NAME, cause);
}

/** B07. */
export function noConnection(place: string, acquireTimeout?: number, cause?: unknown): PagefaultError {
  const limit = acquireTimeout === undefined ? '' : ` (${acquireTimeout} ms)`;
  return lost('E_TIMEOUT', `no connection to ${place} within acquireTimeout${limit}`, cause);
}

function noTls(place: string, cause: unknown): PagefaultError {
  return new PagefaultError('E_CONFIG', `${place} offers no TLS, and the connectionString asks for it`, {
    driver: NAME,
    hint: 'turn it on at the server (ssl = on), or write sslmode=disable where the network is trusted',
    cause,
  });
}

function badCertificate(place: string, said: string, cause: unknown): PagefaultError {
  return new PagefaultError('E_CONFIG', `the certificate of ${place} is not trusted: ${said}`, {
    driver: NAME,
    hint: 'name the one that signed it by sslrootcert=FILE in the connectionString, or in NODE_EXTRA_CA_CERTS',
    cause,
  });
}

function noFile(said: string, cause: unknown): PagefaultError {
  return new PagefaultError(
    'E_CONFIG',
    `a file of ${OPTIONS_NAME}.connectionString cannot be read: ${said}`,
    {
      driver: NAME,
      hint: 'correct sslrootcert, sslcert or sslkey there',
      cause,
    },
  );
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

/** Says nothing of what was read: it may be a piece of the password. */
export function malformed(): PagefaultError {
  return new PagefaultError('E_CONFIG', `${OPTIONS_NAME}.connectionString is not an address`, {
    driver: NAME,
    hint: 'write postgres://user:password@host:5432/database, an IPv6 address in brackets, and in a password %40 for @, %3A for :, %2F for /, %3F for ?, %23 for #, %25 for %',
  });
}

function lost(code: 'E_TIMEOUT' | 'E_STORAGE', message: string, cause: unknown): PagefaultError {
  const hint = 'check that the server runs and can be reached, and that nobody holds all its connections';
  return new PagefaultError(code, message, { driver: NAME, hint, cause, retryable: true });
}

function textOf(cause: unknown, key: string): string {
  const value =
    typeof cause === 'object' && cause !== null ? (Reflect.get(cause, key) as unknown) : undefined;
  return typeof value === 'string' ? value : '';
}
