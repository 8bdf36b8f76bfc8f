/**
 * Invariant 3 for interrupts of every kind: what was acknowledged is served once, by itself or by the one that it was merged
 * into, in order of kind and arrival, wherever the kernel dies; and no occurrence of a timer is lost or taken twice.
 */
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { createPostgresRecall } from '@pagefault/driver-recall-postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INTERRUPT_KINDS, type InterruptKind } from '../../src/core/interrupt-kind.js';
import { Life, PERIOD, type Step } from '../support/life.js';

const kind = fc.constantFrom(...INTERRUPT_KINDS);
const timer = fc.constantFrom('one', 'two');
const minutes = fc.integer({ min: 1, max: 20 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      kind,
      key: fc.constant(undefined),
      steer: fc.boolean(),
    }),
  },
  {
    // Of one kind, so that some are merged.
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      kind: fc.constant('device' as const),
      key: fc.constantFrom('a', 'b'),
      steer: fc.constant(false),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('advance' as const), minutes }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('set' as const, 'cancel' as const), timer, minutes }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'restart' as const) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('mask' as const, 'unmask' as const), kind }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('die' as const),
      after: fc.integer({ min: 0, max: 6 }),
      fate: fc.constantFrom('fail-before' as const, 'fail-after' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'kill' as const }) },
);

interface StoredDelivery {
  readonly state: string;
  readonly into?: string;
}

type Messages = Awaited<ReturnType<Life['messages']>>;

const count = (text: string) => Number(/(?:newest of|stands for) (\d+)/.exec(text)?.[1] ?? 1);
const counted = (messages: Messages) => messages.reduce((sum, { text }) => sum + count(text), 0);

/** All that must hold once nothing waits any more. */
async function check(life: Life, steps: readonly Step[], start: number): Promise<void> {
  const messages = await life.messages();
  const ids = messages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await life.rows('coalescing')).toEqual([]);
  await checkAnswers(life, ids);
  checkOrder(life, steps, ids);
  for (const [timer, length] of life.cancelled)
    expect(ids.slice(length).filter((id) => id.startsWith(`${timer}@`))).toEqual([]);
  if (life.isKilled) return;
  await checkServed(life, messages);
  await checkTicks(life, messages, start);
}

/** Each acknowledged one is in the log, itself or the one that stands for it. */
async function checkServed(life: Life, messages: Messages): Promise<void> {
  const deliveries = new Map(
    (await life.rows('deliveries')).map(({ key, value }) => [key, value as unknown as StoredDelivery]),
  );
  const served = (id: string): string => {
    const delivery = deliveries.get(id);
    expect(delivery?.state).toBe(delivery?.into === undefined ? 'done' : 'merged');
    return delivery?.into === undefined ? id : served(delivery.into);
  };
  const ids = messages.map(({ id }) => id);
  for (const { id } of life.acknowledged) expect(ids).toContain(served(id));
  // Those that were written and not acknowledged count too: whoever posted them may not know.
  const written = [...deliveries.keys()].filter((id) => id.startsWith('post-'));
  expect(counted(messages.filter(({ id }) => id.startsWith('post-')))).toBe(written.length);
}

/** Whoever waits for an answer gets one, or is told why not. */
async function checkAnswers(life: Life, ids: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(life.sent.map(({ result }) => result));
  results.forEach((result, index) => {
    if (result.status === 'fulfilled') expect(ids).toContain(life.sent[index]?.id);
  });
  if (life.isKilled) return;
  for (const { id } of life.sent) {
    const row = (await life.rows('deliveries')).find(({ key }) => key === id);
    if (row)
      expect([(row.value as unknown as StoredDelivery).state, ids.includes(id)]).toEqual(['done', true]);
  }
}

/** Of two that waited at once the one of the earlier kind goes first, and of one kind the one that came first. */
function checkOrder(life: Life, steps: readonly Step[], ids: readonly string[]): void {
  const isMasked = steps.some((one) => one.do === 'mask');
  const inLine = life.acknowledged.filter(
    ({ id, key, steer }) => key === undefined && !steer && ids.includes(id),
  );
  inLine.forEach((first, index) => {
    for (const second of inLine.slice(index + 1)) {
      const [a, b] = [first, second].map((one) => INTERRUPT_KINDS.indexOf(one.kind));
      const goesFirst = isMasked ? a === b : (a ?? 0) <= (b ?? 0);
      if (goesFirst) expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(second.id));
    }
  });
}

async function checkTicks(life: Life, messages: Messages, start: number): Promise<void> {
  const tick = (await life.rows('timers')).find(({ key }) => key === 'tick');
  const due = (tick?.value as { readonly dueAt: number } | undefined)?.dueAt ?? 0;
  const ticks = messages.filter(({ id }) => id.startsWith('tick@'));
  expect(counted(ticks)).toBe((due - start) / PERIOD - 1);
}

/** In the end some that wait at once. */
async function live(life: Life, steps: readonly Step[], kinds: readonly InterruptKind[]): Promise<void> {
  await life.begin();
  const start = life.clock.now();
  for (const one of steps) await life.take(one);
  await life.settle();
  const queued = life.isKilled ? [] : await life.queueUp(kinds);
  await life.close();
  await check(life, steps, start);
  const ids = (await life.messages()).map(({ id }) => id).filter((id) => queued.some((one) => one.id === id));
  const inOrder = queued.toSorted(
    (a, b) => INTERRUPT_KINDS.indexOf(a.kind) - INTERRUPT_KINDS.indexOf(b.kind),
  );
  expect(ids).toEqual(inOrder.map(({ id }) => id));
}

const lives = fc.array(step, { minLength: 1, maxLength: 25 });
const kinds = fc.array(kind, { maxLength: 5 });

describe('interrupts, wherever the kernel dies', () => {
  it('that were acknowledged are served once, in their order (invariant 3, C03, C22, C27)', async () => {
    await fc.assert(
      fc.asyncProperty(lives, kinds, (...drawn) => live(new Life(), ...drawn)),
      { numRuns: 40 },
    );
  });

  describe('on the embedded store', () => {
    const sql = createPgliteSql({ dataDir: MEMORY });
    let schemas = 0;
    beforeAll(() => sql.open());
    afterAll(() => sql.close());

    it('that were acknowledged are served once, in their order (invariant 3)', async () => {
      const store = () => createPostgresRecall({ sql, schema: `life${(schemas += 1)}` });
      await fc.assert(
        fc.asyncProperty(lives, kinds, (...drawn) => live(new Life(store()), ...drawn)),
        { numRuns: 4, endOnFailure: true },
      );
    });
  });
});
