import { PagefaultError } from '@pagefault/contracts';
import { DRIVER } from './model/facts.js';

/** Errors: `E_ABORTED`, with the signal's reason as cause. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted(signal);
}

/** The work's outcome, or `E_ABORTED` as soon as the signal fires; the work itself goes on. No listener is left. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  throwIfAborted(signal);
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(aborted(signal));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function aborted(signal: AbortSignal): PagefaultError {
  return new PagefaultError('E_ABORTED', `${DRIVER}: stopped by the caller`, {
    driver: DRIVER,
    cause: signal.reason,
  });
}
