import { notOpen } from './lifecycle.js';

/** What an open driver of a provider works with. */
export interface Work<Client> {
  readonly client: Client;
  /** Signals that stop the work: of `close`, and the caller's when there is one. */
  readonly callers: readonly AbortSignal[];
}

/** The life of a driver that holds a client: both ways may be gone twice, and it may be opened again. */
export interface Session<Client> {
  /** Sends nothing: whether key and server are right shows at the first request. */
  open(): Promise<void>;
  /** Stops what is under way. */
  close(): Promise<void>;
  /** Undefined while it is not open. */
  current(signal: AbortSignal | undefined): Work<Client> | undefined;
  /** Errors: `E_NOT_OPEN`, naming what was asked for. */
  work(what: string, signal: AbortSignal | undefined): Work<Client>;
}

/** A client with what was opened for it. */
export interface Connected<Client> {
  readonly sdk: Client;
  /** Closes what the driver opened itself: never a client that was given. */
  end(): Promise<void>;
}

/** `connect` fails as the driver's errors do; `release` gets what it gave, once the work is stopped. */
export function createSession<Client>(
  driver: string,
  connect: () => Promise<Client>,
  release: (client: Client) => Promise<void> = async () => undefined,
): Session<Client> {
  let opened: { readonly client: Client; readonly closing: AbortController } | undefined;
  const current = (signal: AbortSignal | undefined): Work<Client> | undefined =>
    opened && {
      client: opened.client,
      callers: [opened.closing.signal, ...(signal === undefined ? [] : [signal])],
    };
  return {
    current,
    async open() {
      if (opened !== undefined) return;
      const client = await connect();
      if (opened === undefined) opened = { client, closing: new AbortController() };
      else await release(client);
    },
    async close() {
      const last = opened;
      opened = undefined;
      last?.closing.abort();
      if (last !== undefined) await release(last.client);
    },
    work(what, signal) {
      const work = current(signal);
      if (work === undefined) throw notOpen(driver, what);
      return work;
    },
  };
}
