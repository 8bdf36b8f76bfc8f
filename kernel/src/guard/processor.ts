import type { ProcessorDriver, ProcessorEvent, InferRequest } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { Lifecycle } from './lifecycle.js';
import { headOf } from './recall.js';

/** Holds a processor to the grammar of its stream: events, then exactly one `finish`, or an error. */
export function guardProcessor(driver: ProcessorDriver): ProcessorDriver {
  const life = new Lifecycle(driver, 'E_PROTOCOL');
  return {
    ...headOf(driver, life),
    infer: (request, signal) => watch(driver, life, request, signal),
    count: (pieces, signal) =>
      life.call('count', signal, async () => {
        const counts = await driver.count(pieces, signal);
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
  try {
    for await (const event of driver.infer(request, signal)) {
      yield event;
      if (event.type === 'finish') return;
    }
  } catch (error) {
    throw life.name('infer', error);
  }
  throw new PagefaultError('E_PROTOCOL', `${driver.name}: the stream ended without a finish`, {
    driver: driver.name,
  });
}
