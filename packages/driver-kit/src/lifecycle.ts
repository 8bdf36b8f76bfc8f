import { PagefaultError } from '@pagefault/contracts';

/** Whether a driver is open, and the one check that every operation begins with. */
export interface Lifecycle {
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
  /** Errors: `E_NOT_OPEN`, `E_ABORTED`. */
  enter(operation: string, signal?: AbortSignal): void;
}

/** `begin` runs once for all who open at the same time, and again after it failed; a driver in memory has none. */
export function createLifecycle(
  driver: string,
  begin: () => Promise<void> = async () => undefined,
): Lifecycle {
  let isOpen = false;
  let opening: Promise<void> | undefined;
  return {
    async open(signal) {
      refuseAborted(driver, 'open', signal);
      if (isOpen) return;
      opening ??= begin()
        .then(() => void (isOpen = true))
        .finally(() => (opening = undefined));
      await opening;
    },
    async close() {
      // Whoever opened was told of the failure.
      await opening?.catch(() => undefined);
      isOpen = false;
    },
    enter(operation, signal) {
      if (!isOpen) throw notOpen(driver, operation);
      refuseAborted(driver, operation, signal);
    },
  };
}

export function notOpen(driver: string, operation: string): PagefaultError {
  return new PagefaultError('E_NOT_OPEN', `${operation}: the driver '${driver}' is not open`, {
    driver,
    hint: 'call open() first, and nothing after close()',
  });
}

function refuseAborted(driver: string, operation: string, signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new PagefaultError('E_ABORTED', `${operation} was stopped before it began`, {
    driver,
    cause: signal.reason,
  });
}
