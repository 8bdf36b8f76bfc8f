import type { InferRequest, ProcessorDriver, ProcessorEvent, Reply } from '@pagefault/contracts';

/** A driver whose events are changed one by one; more, fewer or others. */
export function changing(
  good: ProcessorDriver,
  change: (event: ProcessorEvent) => readonly ProcessorEvent[],
): ProcessorDriver {
  return {
    ...good,
    async *infer(request: InferRequest, signal?: AbortSignal) {
      for await (const event of good.infer(request, signal)) yield* change(event);
    },
  };
}

/** A driver whose replies are changed. */
export function replying(good: ProcessorDriver, change: (reply: Reply) => Reply): ProcessorDriver {
  return changing(good, (event) =>
    event.type === 'finish' ? [{ ...event, reply: change(event.reply) }] : [event],
  );
}
