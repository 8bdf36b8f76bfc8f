const waiting = new WeakMap<AbortSignal, Hub>();

interface Hub {
  readonly stops: Set<() => void>;
  readonly tell: () => void;
}

/**
 * Calls `stop` when the signal fires. Whoever has many calls under way gives them one signal, and Node warns of more than
 * ten listeners on it: so there is one for all, and none when the last has left. Gives the function that leaves.
 */
export function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  const hub = waiting.get(signal) ?? newHub(signal);
  hub.stops.add(stop);
  return () => {
    hub.stops.delete(stop);
    if (hub.stops.size > 0) return;
    signal.removeEventListener('abort', hub.tell);
    if (waiting.get(signal) === hub) waiting.delete(signal);
  };
}

function newHub(signal: AbortSignal): Hub {
  const stops = new Set<() => void>();
  const tell = (): void => [...stops].forEach((stop) => stop());
  signal.addEventListener('abort', tell, { once: true });
  const hub = { stops, tell };
  waiting.set(signal, hub);
  return hub;
}

/** Runs `work` with one signal that fires with any of several, and leaves no listener on them. */
export async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const leaves = signals.map((signal) => whenAborted(signal, abort));
  if (signals.some((signal) => signal.aborted)) abort();
  try {
    return await work(controller.signal);
  } finally {
    for (const leave of leaves) leave();
  }
}
