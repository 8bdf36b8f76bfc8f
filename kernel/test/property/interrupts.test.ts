/**
 * Invariant 3 for interrupts of every kind: what was acknowledged is served once, by itself or by the one that it was merged
 * into, wherever the kernel dies; and no occurrence of a timer is lost or taken twice.
 */
import type { RecallDriver, Row } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/shell/kernel.js';
import { type VirtualClock, virtualClock } from '../../src/virtual-clock.js';
import { type Fate, faultyRecall, keptOpen, turnOfTheLoop } from '../support/recall.js';
import { ask, hasResults, startKernel, tell } from '../support/stack.js';

const MINUTE = 60_000;
const PERIOD = 7 * MINUTE;

type Step =
  | { readonly do: 'post'; readonly key: string | undefined; readonly steer: boolean }
  | { readonly do: 'advance'; readonly minutes: number }
  | { readonly do: 'wait'; readonly turns: number }
  | { readonly do: 'pause' | 'resume' | 'restart' }
  | { readonly do: 'die'; readonly after: number; readonly fate: Exclude<Fate, 'pass'> };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      key: fc.constantFrom(undefined, undefined, 'a', 'b'),
      steer: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), minutes: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'restart' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('die' as const),
      after: fc.integer({ min: 0, max: 6 }),
      fate: fc.constantFrom('fail-before' as const, 'fail-after' as const),
    }),
  },
);

/** A store of which one kernel at a time is alive: of the one before all commits fail. */
class Life {
  readonly base: RecallDriver = createMemoryRecall();
  readonly clock: VirtualClock = virtualClock(1_700_000_000_000);
  readonly acknowledged: { readonly id: string; readonly key: string | undefined }[] = [];
  #kernel: Kernel | undefined;
  #dead: Kernel[] = [];
  #pid = '';
  /** Commits that the kernel still makes before it dies. */
  #left = Infinity;
  #fate: Exclude<Fate, 'pass'> = 'fail-before';
  #posts = 0;

  async begin(): Promise<void> {
    await this.#boot();
    const process = await this.#kernel?.spawn();
    this.#pid = process?.pid ?? '';
    await process?.timers.set({ id: 'tick', text: 'tick', every: PERIOD });
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'die') [this.#left, this.#fate] = [step.after, step.fate];
    if (step.do === 'advance') await this.clock.advance(step.minutes * MINUTE);
    if (step.do === 'wait') for (let n = 0; n < step.turns; n++) await turnOfTheLoop();
    if (step.do === 'restart') await this.restart();
    if (step.do === 'post') await this.#post(step);
    if (step.do === 'pause' || step.do === 'resume') await this.#control(step.do);
  }

  /** Without faults, until nothing waits and nothing runs. */
  async settle(): Promise<void> {
    await this.restart();
    await this.#control('resume');
    for (let turns = 0; await this.#isBusy(); turns++) {
      if (turns > 10_000)
        throw new Error(`something waits for ever: ${JSON.stringify(await this.rows('inbox'))}`);
      await turnOfTheLoop();
    }
  }

  async restart(): Promise<void> {
    this.#left = Infinity;
    await this.#boot();
  }

  async close(): Promise<void> {
    await this.#kernel?.close();
    for (const kernel of this.#dead) await kernel.close().catch(() => undefined);
  }

  rows(space: string): Promise<readonly Row[]> {
    return this.base.load(this.#pid, [space]);
  }

  async messages(): Promise<readonly { readonly id: string; readonly text: string }[]> {
    const { items } = await this.base.read([{ pid: this.#pid, upTo: Number.MAX_SAFE_INTEGER }], {
      limit: 10_000,
    });
    return items.map(({ message }) => ({
      id: message.id,
      text: message.parts.map((part) => ('text' in part ? part.text : '')).join(''),
    }));
  }

  async #boot(): Promise<void> {
    if (this.#kernel) this.#dead.push(this.#kernel);
    const generation = this.#dead.length;
    const recall = faultyRecall(() => this.#nextFate(generation), this.#storeOf(generation));
    const replies: Parameters<typeof startKernel>[0] = {
      replies: (request) => (hasResults(request) ? tell('done') : ask('conversation_search', { query: 'x' })),
    };
    const { kernel } = await startKernel({ recall, clock: this.clock, ...replies });
    this.#kernel = kernel;
    await kernel.serve();
  }

  /** The dead hold no lease, and give none back. */
  #storeOf(generation: number): RecallDriver {
    const isDead = () => generation < this.#dead.length;
    return {
      ...keptOpen(this.base),
      acquireLease: async (...args) => (isDead() ? undefined : this.base.acquireLease(...args)),
      releaseLease: async (...args) => (isDead() ? undefined : this.base.releaseLease(...args)),
    };
  }

  #nextFate(generation: number): Fate {
    if (generation < this.#dead.length) return 'fail-before';
    if (this.#left === Infinity) return 'pass';
    this.#left--;
    if (this.#left >= 0) return 'pass';
    // The last commit may have been written; after it nothing is.
    return this.#left === -1 ? this.#fate : 'fail-before';
  }

  async #post({ key, steer }: Extract<Step, { do: 'post' }>): Promise<void> {
    const id = `post-${(this.#posts += 1)}`;
    const process = await this.#kernel?.open(this.#pid);
    const incoming = {
      kind: 'device' as const,
      id,
      text: `text of ${id}`,
      ...(key === undefined ? steer && { delivery: 'steer' as const } : { coalesce: key }),
    };
    const receipt = await process?.post(incoming).catch(() => undefined);
    if (receipt) this.acknowledged.push({ id, key });
  }

  async #control(what: 'pause' | 'resume'): Promise<void> {
    const process = await this.#kernel?.open(this.#pid);
    await process?.[what]().catch(() => undefined);
  }

  async #isBusy(): Promise<boolean> {
    if ((await this.rows('inbox')).length > 0) return true;
    return (await this.rows('state')).some(({ key }) => key === 'turn');
  }
}

interface StoredDelivery {
  readonly state: string;
  readonly into?: string;
}

const count = (text: string) => Number(/(?:newest of|stands for) (\d+)/.exec(text)?.[1] ?? 1);

describe('interrupts, wherever the kernel dies', () => {
  it('that were acknowledged are served once (invariant 3, C03, C22, C27)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const life = new Life();
        await life.begin();
        const start = life.clock.now();
        for (const one of steps) await life.take(one);
        await life.settle();

        const deliveries = new Map(
          (await life.rows('deliveries')).map(({ key, value }) => [key, value as unknown as StoredDelivery]),
        );
        const messages = await life.messages();
        const served = (id: string): string => {
          const delivery = deliveries.get(id);
          expect(delivery?.state).toBe(delivery?.into === undefined ? 'done' : 'merged');
          return delivery?.into === undefined ? id : served(delivery.into);
        };
        for (const { id } of life.acknowledged) {
          expect(messages.filter((message) => message.id === served(id))).toHaveLength(1);
        }
        // Those that were written and not acknowledged count too: whoever posted them may not know.
        const merged = [...deliveries].filter(([id]) => id.startsWith('post-'));
        const shown = messages.filter(({ id }) => id.startsWith('post-'));
        expect(shown.reduce((sum, { text }) => sum + count(text), 0)).toBe(merged.length);

        const [timer] = await life.rows('timers');
        const due = (timer?.value as { readonly dueAt: number } | undefined)?.dueAt ?? 0;
        const ticks = messages.filter(({ id }) => id.startsWith('tick@'));
        expect(ticks.reduce((sum, { text }) => sum + count(text), 0)).toBe((due - start) / PERIOD - 1);
        expect(await life.rows('coalescing')).toEqual([]);
        await life.close();
      }),
      { numRuns: 25 },
    );
  });
});
