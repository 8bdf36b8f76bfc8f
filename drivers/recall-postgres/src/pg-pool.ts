import { Socket } from 'node:net';
import { PagefaultError } from '@pagefault/contracts';
import type { Pool, PoolClient } from 'pg';
import { NAME } from './errors.js';
import { isMisread, withStrictTls } from './pg-address.js';
import { malformed, noConnection, pgError } from './pg-errors.js';
import { type ParsedPgSqlOptions, timeLimits } from './pg-options.js';

/** Connections, handed out one by one. A lost one makes every older one suspect: those are replaced before use. */
export interface Connections {
  /** Errors: `E_TIMEOUT` when none is had within `acquireTimeout` (B07). */
  acquire(): Promise<PoolClient>;
  /** After a failure of the connection itself. */
  suspect(): void;
  close(): Promise<void>;
}

/** The pool that was given, or one of our own. Connects only when asked. */
export async function openConnections(
  place: string,
  options: ParsedPgSqlOptions,
  withLimits: boolean,
): Promise<Connections> {
  const sockets = new Set<Socket>();
  const pool = options.pool ?? (await makePool(options, withLimits, sockets));
  const generations = new Generations(pool);
  return {
    suspect: () => generations.end(),
    async acquire() {
      for (;;) {
        const client = await connect(place, pool, options.acquireTimeout);
        if (generations.isCurrent(client)) return client;
        client.release(true);
      }
    },
    async close() {
      generations.stop();
      if (options.pool === undefined) await endPool(pool, sockets);
    },
  };
}

class Generations {
  readonly #pool: Pool;
  readonly #born = new WeakMap<PoolClient, number>();
  readonly #note = (client: PoolClient): void => void this.#born.set(client, this.#current);
  #current = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
    // Without a listener the death of an idle connection ends the whole process (B04). The pool forgets it by itself.
    // It is never taken off: a connection may still die after this port was closed.
    if (!pool.listeners('error').includes(ignore)) pool.on('error', ignore);
    pool.on('connect', this.#note);
  }

  end(): void {
    this.#current += 1;
  }

  isCurrent(client: PoolClient): boolean {
    return (this.#born.get(client) ?? 0) === this.#current;
  }

  stop(): void {
    this.#pool.off('connect', this.#note);
  }
}

/** The failure itself reaches whoever uses the connection; the event only says so once more. */
export function ignore(): void {}

/** pg throws at once when the address cannot be read. */
async function asked(pool: Pool): Promise<PoolClient> {
  return pool.connect();
}

/** A pool that was given may have no limit of its own; a connection that comes too late goes back. */
function connect(place: string, pool: Pool, limit: number): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(noConnection(place, limit));
    }, limit);
    asked(pool).then(
      (client) => {
        clearTimeout(timer);
        if (isLate) return client.release();
        // A client that was handed out is no longer watched by the pool.
        client.on('error', ignore);
        resolve(client);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(pgError(place, error, limit));
      },
    );
  });
}

async function makePool(
  options: ParsedPgSqlOptions,
  withLimits: boolean,
  sockets: Set<Socket>,
): Promise<Pool> {
  const connectionString = withStrictTls(options.connectionString);
  // It would connect to a host that is a piece of the password, and say so.
  if (connectionString !== undefined && isMisread(connectionString)) throw malformed();
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new PagefaultError('E_CONFIG', 'the package "pg" is not installed', {
      driver: NAME,
      hint: 'npm install pg',
      cause,
    });
  });
  const { statementTimeout, idleTimeout } = timeLimits(options);
  const limits = {
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
  };
  return new pg.Pool({
    connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: options.acquireTimeout,
    application_name: 'pagefault',
    // So that a connection through a gateway that forgets quiet ones is kept, or found dead.
    keepAlive: true,
    stream: () => tracked(sockets),
    ...(withLimits ? limits : {}),
  });
}

function tracked(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

// A server closes within milliseconds; one that is frozen never does, and would keep this process from ending.
const FAREWELL = 1_000;

async function endPool(pool: Pool, sockets: ReadonlySet<Socket>): Promise<void> {
  await pool.end();
  const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, FAREWELL);
  await Promise.all(closed);
  clearTimeout(timer);
}
