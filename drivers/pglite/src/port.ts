import { resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import {
  parseOptions,
  type SqlPort,
  type SqlResult,
  type SqlSession,
  type SqlValue,
} from '@pagefault/driver-kit';
import type { Channel } from './channel.js';
import { aborted, DRIVER, notOpen } from './errors.js';
import { Gate } from './gate.js';
import { defaultCacheDir, MEMORY, pgliteOptions, type PgliteOptions } from './options.js';
import type { RawResult, Statement } from './protocol.js';
import { SeedCache } from './seed.js';
import { openStore, type Store } from './store.js';

/**
 * PostgreSQL in process: PGlite in a worker thread behind a lock on the data directory. One session, so that
 * transactions run one after the other and everything else waits for them; a statement that was sent cannot be
 * stopped.
 * Errors of `open`: `E_DATA_DIR_LOCKED`, `E_DATA_DIR`, `E_STORAGE`. After the thread died every call is
 * rejected with `E_STORAGE` or `E_DATA_DIR` until `open` is called again. When the data directory was removed
 * every call is rejected with `E_DATA_DIR`, `open` too, until `close`.
 */
export function createPgliteSql(options: PgliteOptions): SqlPort {
  return new PgliteSql(parseOptions(DRIVER, pgliteOptions, options));
}

class PgliteSql implements SqlPort {
  readonly description: string;
  readonly supports: SqlPort['supports'];
  readonly #options: ReturnType<typeof pgliteOptions.parse>;
  readonly #gate = new Gate();
  #store: Store | undefined;
  #opening: Promise<void> | undefined;

  constructor(options: ReturnType<typeof pgliteOptions.parse>) {
    this.#options = options;
    this.description = options.dataDir === MEMORY ? MEMORY : resolve(options.dataDir);
    const durable = options.dataDir !== MEMORY;
    this.supports = Object.freeze({ shared: false, binary: false, cancel: false, durable });
  }

  open(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(aborted(signal));
    const loss = this.#store?.witness?.loss();
    if (loss !== undefined) return Promise.reject(loss);
    if (this.#store !== undefined && this.#store.channel.death === undefined) return Promise.resolve();
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #open(): Promise<void> {
    const inMemory = this.#options.dataDir === MEMORY;
    this.#store = await openStore({
      name: this.description,
      dataDir: inMemory ? undefined : this.description,
      fsync: this.#options.fsync,
      seeds: new SeedCache(this.#options.cacheDir ?? defaultCacheDir()),
    });
  }

  async close(): Promise<void> {
    // A failed open has told its caller already.
    await this.#opening?.catch(() => undefined);
    const store = this.#store;
    if (store === undefined) return;
    await this.#gate.enter();
    this.#store = undefined;
    this.#gate.leave();
    await store.settled;
    await closeChannel(store.channel);
  }

  async query<R = Record<string, unknown>>(
    text: string,
    values: readonly SqlValue[] = [],
    signal?: AbortSignal,
  ): Promise<SqlResult<R>> {
    if (signal?.aborted) throw aborted(signal);
    if (this.#gate.free) return toResult(await this.#send(text, values));
    await this.#gate.enter(signal);
    return toResult(await this.#sendAndLeave(text, values));
  }

  /** The worker serves calls in order: once this one is on its way, the next may enter. */
  #sendAndLeave(text: string, values: readonly SqlValue[]): Promise<RawResult> {
    try {
      return this.#send(text, values);
    } finally {
      this.#gate.leave();
    }
  }

  #send(text: string, values: readonly SqlValue[]): Promise<RawResult> {
    return this.#channel().query({ op: 'query', text, values });
  }

  async transaction<T>(work: (session: SqlSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#gate.enter(signal);
    try {
      return await runTransaction(this.#channel(), work, signal);
    } finally {
      this.#gate.leave();
    }
  }

  #channel(): Channel {
    if (this.#store === undefined) throw notOpen(this.description);
    return this.#store.channel;
  }
}

async function closeChannel(channel: Channel): Promise<void> {
  if (channel.death === undefined) await channel.call({ op: 'close' }).catch(() => channel.terminate());
  await channel.terminate();
}

const BEGIN: Statement = ['begin', []];

async function runTransaction<T>(
  channel: Channel,
  work: (session: SqlSession) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let begun = false;
  const goOn = (own?: AbortSignal): void => {
    const stop = [signal, own].find((one) => one?.aborted);
    if (stop !== undefined) throw aborted(stop);
  };
  const session: SqlSession = {
    async query(text, values = [], own) {
      goOn(own);
      const first = !begun;
      begun = true;
      // `begin` travels with the first statement: one round trip less.
      return toResult(
        await channel.query(
          first ? { op: 'sequence', statements: [BEGIN, [text, values]] } : { op: 'query', text, values },
        ),
      );
    },
    async copyIn(table, rows) {
      goOn();
      if (!begun) await channel.query({ op: 'query', text: 'begin', values: [] });
      begun = true;
      await channel.call({ op: 'copy', table, rows });
    },
  };
  try {
    const value = await work(session);
    if (begun) await commit(channel);
    return value;
  } catch (error) {
    // A dead worker has rolled back already; the first error is the one that tells.
    if (begun) await channel.query({ op: 'query', text: 'rollback', values: [] }).catch(() => undefined);
    throw error;
  }
}

async function commit(channel: Channel): Promise<void> {
  const { command } = await channel.query({ op: 'query', text: 'commit', values: [] });
  if (command !== 'COMMIT') {
    throw new PagefaultError('E_STORAGE', 'the transaction was rolled back: a statement in it had failed', {
      driver: DRIVER,
      hint: 'let the error of a failed statement leave the transaction',
    });
  }
}

function toResult<R>(raw: RawResult): SqlResult<R> {
  const rows = raw.rows.map((row) => {
    const record: { [field: string]: unknown } = {};
    for (const [column, field] of raw.fields.entries()) record[field] = row[column];
    return record as R;
  });
  return { rows, affected: raw.affected };
}
