import type { PagefaultError } from '@pagefault/contracts';
import { parseRetryAfter, retry, secretsOf, startWatch } from '@pagefault/driver-kit';
import type { QdrantApi } from './api.js';
import type { Connection } from './client.js';
import { fromQdrantError, NAME, refusal } from './errors.js';
import { type Options, placeOf } from './options.js';

/** One request of the SDK. */
export type Send<T> = (api: QdrantApi, init: RequestInit) => Promise<{ readonly data: Answer<T> }>;

interface Answer<T> {
  readonly result?: T;
  readonly status?: string;
}

/** Sends requests of an open index, with retries; each is safe to send twice. */
export interface Caller {
  /** Its result. `what` stands in the error of an answer without one. */
  call<T>(what: string, send: Send<T>, signal?: AbortSignal): Promise<T>;
  /** The whole answer, of an endpoint without an envelope. Errors are those of the SDK. */
  raw<T>(send: (api: QdrantApi, init: RequestInit) => Promise<T>, signal?: AbortSignal): Promise<T>;
  failure(error: unknown): PagefaultError;
}

/** `closing` stops what is under way when the driver closes. */
export function createCaller(connection: Connection, options: Options, closing: AbortSignal): Caller {
  const failure = (error: unknown): PagefaultError =>
    fromQdrantError(error, secretsOf(options), placeOf(options));
  const raw: Caller['raw'] = (send, signal) => {
    const { attempts, timing } = options;
    const deadline = timing.now() + options.deadline;
    const callers = signal === undefined ? [closing] : [closing, signal];
    let asked: string | undefined;
    const attempt = (): ReturnType<typeof send> => {
      asked = undefined;
      const left = deadline - timing.now();
      return watched(callers, left, options, (any) =>
        send(
          connection.api,
          connection.init(any, (header) => (asked = header)),
        ),
      );
    };
    const isRetryable = (error: unknown): boolean => failure(error).retryable;
    const retryAfter = (error: unknown): number | undefined =>
      parseRetryAfter((name) => (name === 'retry-after' ? (asked ?? heardBySdk(error)) : null), timing.now());
    return retry(attempt, { attempts, deadline, isRetryable, retryAfter, ...(signal && { signal }) }, timing);
  };
  return {
    raw,
    failure,
    async call(what, send, signal) {
      try {
        const { data } = await raw(send, signal);
        return resultOf(what, data);
      } catch (error) {
        throw failure(error);
      }
    },
  };
}

async function watched<T>(
  callers: readonly AbortSignal[],
  left: number,
  { idleTimeout }: Options,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const watch = startWatch({ driver: NAME, idle: idleTimeout, left, callers });
  try {
    return await watch.hear(send(watch.signal));
  } finally {
    watch.end();
  }
}

// Of a client that was given, whose answers we do not see.
function heardBySdk(error: unknown): string | null {
  const seconds = (error as { retry_after?: unknown } | undefined)?.retry_after;
  return typeof seconds === 'number' ? String(seconds) : null;
}

function resultOf<T>(what: string, data: Answer<T> | undefined): T {
  const result = data?.result;
  if (result !== undefined && result !== null && data?.status === 'ok') return result;
  throw refusal(
    'E_PROTOCOL',
    `${NAME}: the answer to ${what} holds no result`,
    'check that the option url is Qdrant’s',
  );
}
