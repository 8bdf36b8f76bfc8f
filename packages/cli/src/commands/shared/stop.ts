import { PagefaultError } from '@pagefault/contracts';
import { EXIT, type Io } from './io.js';

/**
 * Runs work that the first Ctrl-C stops in good order, and the second at once.
 * Errors: `E_ABORTED` when it was stopped; those of the work.
 */
export async function stoppable<T>(
  io: Io,
  hint: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new PagefaultError('E_ABORTED', 'stopped', { hint }));
  const release = io.onStop(() => (controller.signal.aborted ? io.exit(EXIT.stopped) : stop()));
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

/** Waits for `work`, or throws the signal's reason as soon as it is aborted; then nobody waits for the work. */
export function unlessStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
