import type { Watch } from '../watch.js';

/** The items of `stream`, each within the watch's limits; whatever happens, the stream is closed. */
export async function* heard<T>(stream: AsyncIterable<T>, watch: Watch): AsyncGenerator<T, void> {
  const iterator = stream[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await watch.hear(iterator.next());
      isDone = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a stream that hangs would hang here too. The signal has ended it where it listens.
    if (!isDone) iterator.return?.()?.then(undefined, () => undefined);
  }
}
