import { PagefaultError } from '@pagefault/contracts';
import { DRIVER } from './model/facts.js';

/** Errors: `E_ABORTED`, with the signal's reason as cause. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new PagefaultError('E_ABORTED', `${DRIVER}: stopped by the caller`, {
    driver: DRIVER,
    cause: signal.reason,
  });
}
