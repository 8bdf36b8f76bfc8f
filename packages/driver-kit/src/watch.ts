import { PagefaultError, type Milliseconds } from '@pagefault/contracts';
import { whenAborted } from './signals.js';

/** Ends one try when the caller aborts, when nothing is heard for too long, or when all the time is used. */
export interface Watch {
  /** Fires with the reason as its error. */
  readonly signal: AbortSignal;
  /** Waits for `work`, but no longer than until the signal fires, even if `work` does not care about it. */
  hear<T>(work: PromiseLike<T>): Promise<T>;
  /** Stops the timers, takes the listeners off the callers' signals and fires the own one: a request that is still open ends at once. */
  end(): void;
}

export interface WatchOptions {
  /** Whose error it is. */
  readonly driver: string;
  /** Silence that is borne. */
  readonly idle: Milliseconds;
  /** Until the deadline. */
  readonly left: Milliseconds;
  readonly callers: readonly AbortSignal[];
}

/** The messages name the driver's options `idleTimeout` and `deadline`. */
export function startWatch({ driver, idle, left, callers }: WatchOptions): Watch {
  const controller = new AbortController();
  const stop = (code: 'E_ABORTED' | 'E_TIMEOUT', message: string, hint: string, cause?: unknown): void =>
    controller.abort(
      new PagefaultError(code, `${driver}: ${message}`, {
        driver,
        hint,
        cause,
        retryable: code === 'E_TIMEOUT',
      }),
    );
  const onAbort = (): void => {
    const reason: unknown = callers.find((signal) => signal.aborted)?.reason;
    stop('E_ABORTED', 'stopped by the caller', 'start the turn again when wanted', reason);
  };
  const leaves = callers.map((signal) => whenAborted(signal, onAbort));
  if (callers.some((signal) => signal.aborted)) onAbort();
  const stopped = new Promise<never>((_, reject) => {
    const fail = (): void => reject(controller.signal.reason as PagefaultError);
    if (controller.signal.aborted) fail();
    else controller.signal.addEventListener('abort', fail, { once: true });
  });
  // It may fire while nobody waits.
  stopped.catch(() => undefined);
  const total = setTimeout(
    () => stop('E_TIMEOUT', 'not done by the deadline', 'raise the option deadline'),
    Math.max(0, left),
  );
  let silence: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    async hear(work) {
      silence = setTimeout(
        () => stop('E_TIMEOUT', `nothing heard for ${idle} ms`, 'raise the option idleTimeout'),
        idle,
      );
      try {
        return await Promise.race([work, stopped]);
      } finally {
        clearTimeout(silence);
      }
    },
    end() {
      clearTimeout(total);
      clearTimeout(silence);
      for (const leave of leaves) leave();
      controller.abort();
    },
  };
}
