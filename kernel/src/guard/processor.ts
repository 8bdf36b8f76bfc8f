import type { Bill, ProcessorDriver, ProcessorEvent, InferRequest } from '@pagefault/contracts';
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
      const event = priced(next.value, driver);
      if (event.type === 'finish' && !isReply(event.reply)) {
        yield* billOfBroken(event, driver);
        throw notAReply(driver.name);
      }
      yield event;
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
  if (event.type !== 'usage' && event.type !== 'finish') return event;
  const bill: Pick<Bill, 'usage' | 'spend'> = event.type === 'usage' ? event : event.reply;
  if (!prices || !hasUsage(bill) || bill.spend !== undefined) return event;
  const spend = spendOf(bill.usage, prices);
  if (spend === undefined) return event;
  return event.type === 'usage' ? { ...event, spend } : { ...event, reply: { ...event.reply, spend } };
}

/** A reply that cannot be used may tell what is charged for it. */
function* billOfBroken(
  { reply, attempt }: Extract<ProcessorEvent, { type: 'finish' }>,
  driver: ProcessorDriver,
): Generator<ProcessorEvent, void> {
  if (!hasUsage(reply)) return;
  const { usage, spend } = reply;
  const event = {
    type: 'usage',
    usage,
    ...(spend !== undefined && { spend }),
    ...(attempt !== undefined && { attempt }),
  } as const;
  yield priced(event, driver);
}

/** What the core takes a reply apart by. */
function isReply(reply: unknown): boolean {
  const { parts } = (reply ?? {}) as { readonly parts?: unknown };
  return Array.isArray(parts) && hasUsage(reply);
}

function hasUsage(reply: unknown): boolean {
  const { usage } = (reply ?? {}) as { readonly usage?: unknown };
  return typeof usage === 'object' && usage !== null;
}

function notAReply(driver: string): PagefaultError {
  return new PagefaultError('E_PROTOCOL', `${driver}: the reply has no parts or no usage`, { driver });
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
