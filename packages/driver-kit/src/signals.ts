/** Runs `work` with one signal that fires with any of several, and leaves no listener on them. */
export async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some((signal) => signal.aborted)) abort();
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}
