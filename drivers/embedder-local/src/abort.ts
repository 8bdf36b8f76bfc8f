import { PagefaultError } from '@pagefault/contracts';
import { whenAborted } from '@pagefault/driver-kit';
import { DRIVER } from './model/facts.js';

/** Errors: `E_ABORTED`, with the signal's reason as cause. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted(signal);
}

/** The work's outcome, or `E_ABORTED` as soon as the signal fires; the work itself goes on. No listener is left. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  throwIfAborted(signal);
  let leave = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    leave = whenAborted(signal, () => reject(aborted(signal)));
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    leave();
  }
}

function aborted(signal: AbortSignal): PagefaultError {
  return new PagefaultError('E_ABORTED', `${DRIVER}: stopped by the caller`, {
    driver: DRIVER,
    cause: signal.reason,
  });
}
