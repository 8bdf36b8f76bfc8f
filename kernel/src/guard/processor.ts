import type { ProcessorDriver, ProcessorEvent, InferRequest } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { spendOf } from '../core/spend.js';
import { Lifecycle } from './lifecycle.js';
import { headOf } from './recall.js';

/** Holds a processor to the grammar of its stream: events, then exactly one `finish`, or an error. */
export function guardProcessor(driver: ProcessorDriver): ProcessorDriver {
  const life = new Lifecycle(driver, 'E_PROTOCOL');
  return {
    ...headOf(driver, life),
    infer: (request, signal) => watch(driver, life, request, signal),
    count: (pieces, signal, onBounds) =>
      life.call('count', signal, async () => {
        const counts = await driver.count(pieces, signal, onBounds);
        if (counts.length === pieces.length && counts.every((count) => Number.isFinite(count) && count >= 0))
          return counts;
        throw new PagefaultError(
          'E_PROTOCOL',
          `${driver.name}.count gave ${JSON.stringify(counts).slice(0, 80)}`,
        );
      }),
  };
}

async function* watch(
  driver: ProcessorDriver,
  life: Lifecycle,
  request: InferRequest,
  signal: AbortSignal | undefined,
): AsyncIterable<ProcessorEvent> {
  life.check('infer', signal);
  const events = driver.infer(request, signal)[Symbol.asyncIterator]();
  const stop = stopOf(driver.name, signal);
  try {
    for (;;) {
      const next = await stop.orStopped(events.next());
      if (next.done === true) break;
      if (next.value.type === 'finish') checkReply(driver.name, next.value.reply);
      yield priced(next.value, driver);
      if (next.value.type === 'finish') return;
    }
  } catch (error) {
    throw life.name('infer', error);
  } finally {
    stop.leave();
    // Not awaited: a driver that ignores its signal may never come back.
    events.return?.().catch(() => undefined);
  }
  throw new PagefaultError('E_PROTOCOL', `${driver.name}: the stream ended without a finish`, {
    driver: driver.name,
  });
}

/** What it cost, unless the driver has said so. */
function priced(event: ProcessorEvent, { supports: { prices } }: ProcessorDriver): ProcessorEvent {
  if (event.type !== 'finish' || event.reply.spend !== undefined || !prices) return event;
  const spend = spendOf(event.reply.usage, prices);
  return spend === undefined ? event : { type: 'finish', reply: { ...event.reply, spend } };
}

/** What the core takes a reply apart by. Errors: `E_PROTOCOL`. */
function checkReply(driver: string, reply: unknown): void {
  const { parts, usage } = (reply ?? {}) as { readonly parts?: unknown; readonly usage?: unknown };
  if (Array.isArray(parts) && typeof usage === 'object' && usage !== null) return;
  throw new PagefaultError('E_PROTOCOL', `${driver}: the reply has no parts or no usage`, { driver });
}

/** Leaves no listener behind on a signal that outlives the call (C19). */
function stopOf(driver: string, signal: AbortSignal | undefined) {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () =>
      reject(new PagefaultError('E_ABORTED', `${driver}.infer: stopped by the caller`, { driver }));
  });
  stopped.catch(() => undefined); // Heard by whoever races against it.
  signal?.addEventListener('abort', stop, { once: true });
  return {
    orStopped: <T>(work: Promise<T>): Promise<T> => Promise.race([work, stopped]),
    leave: () => signal?.removeEventListener('abort', stop),
  };
}
