import { type Milliseconds, PagefaultError } from '@pagefault/contracts';

export interface CloseOptions {
  /** How long the turns under way may still take. After that they are stopped, and stored as interrupted. Default 0. */
  readonly graceMs?: Milliseconds;
}

export function closedError(): PagefaultError {
  return new PagefaultError('E_NOT_OPEN', 'the kernel is closed', { hint: 'boot a new one' });
}

/** To whoever waits for a turn that is not begun any more. */
export function closingError(): PagefaultError {
  return new PagefaultError('E_NOT_OPEN', 'the kernel is closing', {
    hint: 'what was delivered stays in the inbox; boot a new kernel and call resume()',
  });
}

export interface Stopping {
  readonly signal: AbortSignal;
  /** Call it when the work is done: nothing stays on the sources, no timer runs on. */
  leave(): void;
}

/**
 * A signal that fires with any of `sources`, or after `limit`. Not `AbortSignal.any` of `AbortSignal.timeout`: Node 20
 * may collect these before they fire, and then a call that hangs is never stopped.
 */
export function stopWith(sources: readonly AbortSignal[], limit?: Milliseconds): Stopping {
  const controller = new AbortController();
  const timer = limit === undefined ? undefined : setTimeout(() => controller.abort(), limit);
  const leaves = sources.map((source) => follow(source, controller));
  return {
    signal: controller.signal,
    leave: () => {
      clearTimeout(timer);
      for (const leave of leaves) leave();
    },
  };
}

function follow(source: AbortSignal, controller: AbortController): () => void {
  const stop = (): void => controller.abort(source.reason);
  if (source.aborted) stop();
  source.addEventListener('abort', stop, { once: true });
  return () => source.removeEventListener('abort', stop);
}

export function closeError(failures: readonly unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  return new AggregateError(failures, `${failures.length} things failed while the kernel closed`);
}
