/**
 * The life of one process on a store of which one kernel at a time is alive. What a kernel that died still does is lost:
 * of it all commits fail.
 */
import type { RecallDriver, Row } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import type { InterruptKind } from '../../src/core/interrupt-kind.js';
import type { TurnResult } from '../../src/core/outcome.js';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import { type VirtualClock, virtualClock } from '../../src/virtual-clock.js';
import { type Fate, faultyRecall, keptOpen, turnOfTheLoop } from './recall.js';
import { ask, hasResults, startKernel, tell } from './stack.js';

export const MINUTE = 60_000;
/** Of the timer `tick`, which is never cancelled. */
export const PERIOD = 7 * MINUTE;

export type Step =
  | {
      readonly do: 'post';
      readonly kind: InterruptKind;
      readonly key: string | undefined;
      readonly steer: boolean;
    }
  | { readonly do: 'advance'; readonly minutes: number }
  | { readonly do: 'wait'; readonly turns: number }
  | { readonly do: 'mask' | 'unmask'; readonly kind: InterruptKind }
  | { readonly do: 'set' | 'cancel'; readonly timer: string; readonly minutes: number }
  | { readonly do: 'send' }
  | { readonly do: 'restart' }
  | { readonly do: 'pause' | 'resume' | 'kill' }
  | { readonly do: 'die'; readonly after: number; readonly fate: Exclude<Fate, 'pass'> };

/** A post that resolved: from then on it must not be lost. */
export interface Acknowledged {
  readonly id: string;
  readonly kind: InterruptKind;
  readonly key: string | undefined;
  readonly steer: boolean;
}

export interface Sent {
  readonly id: string;
  readonly result: Promise<TurnResult>;
}

export class Life {
  readonly base: RecallDriver;
  readonly clock: VirtualClock = virtualClock(1_700_000_000_000);
  readonly acknowledged: Acknowledged[] = [];
  readonly sent: Sent[] = [];
  /** Of each timer whose cancellation was acknowledged: how long the log was then. */
  readonly cancelled = new Map<string, number>();
  isKilled = false;
  #kernel: Kernel | undefined;
  #dead: Kernel[] = [];
  #pid = '';
  /** Commits that the kernel still makes before it dies. */
  #left = Infinity;
  #fate: Exclude<Fate, 'pass'> = 'fail-before';
  #count = 0;

  constructor(base: RecallDriver = createMemoryRecall()) {
    this.base = base;
  }

  async begin(): Promise<void> {
    await this.#boot();
    const process = await this.#kernel?.spawn();
    this.#pid = process?.pid ?? '';
    await process?.timers.set({ id: 'tick', text: 'tick', every: PERIOD });
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'die':
        [this.#left, this.#fate] = [step.after, step.fate];
        return;
      case 'advance':
        return this.clock.advance(step.minutes * MINUTE);
      case 'wait':
        for (let n = 0; n < step.turns; n++) await turnOfTheLoop();
        return;
      case 'restart':
        return this.restart();
      case 'post':
        return this.#post(step);
      case 'send':
        return this.#send();
      case 'set':
      case 'cancel':
        return this.#changeTimer(step);
      case 'mask':
      case 'unmask':
        return this.#mask(step);
      default:
        return this.#control(step.do);
    }
  }

  /** Without faults, until nothing waits and nothing runs. */
  async settle(): Promise<void> {
    await this.restart();
    const process = await this.#process();
    if (!this.isKilled) {
      await process?.unmask('user', 'ipc', 'device', 'timer', 'system');
      await process?.resume();
    }
    await this.#quiet();
  }

  /** Posts one of each of these kinds while it is paused, and has them served. Resolves to them, as they were posted. */
  async queueUp(kinds: readonly InterruptKind[]): Promise<readonly Acknowledged[]> {
    await this.#control('pause');
    const before = this.acknowledged.length;
    for (const kind of kinds) await this.#post({ do: 'post', kind, key: undefined, steer: false });
    await this.#control('resume');
    await this.#quiet();
    return this.acknowledged.slice(before);
  }

  async #quiet(): Promise<void> {
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
    // No machine starts anew within the millisecond: what comes later stands behind what came before.
    await this.clock.advance(1);
    const recall = faultyRecall(() => this.#nextFate(generation), this.#storeOf(generation));
    const { kernel } = await startKernel({
      recall,
      clock: this.clock,
      replies: (request) => (hasResults(request) ? tell('done') : ask('conversation_search', { query: 'x' })),
    });
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

  async #process(): Promise<Process | undefined> {
    return this.#kernel?.open(this.#pid);
  }

  async #post({ kind, key, steer }: Extract<Step, { do: 'post' }>): Promise<void> {
    const id = `post-${(this.#count += 1)}`;
    const steered = steer && key === undefined;
    const incoming = {
      kind,
      id,
      text: `text of ${id}`,
      ...(kind === 'ipc' && { from: { pid: 'other', name: 'other' } }),
      ...(key !== undefined && { coalesce: key }),
      ...(steered && { delivery: 'steer' as const }),
    };
    const process = await this.#process();
    const receipt = await process?.post(incoming).catch(() => undefined);
    if (receipt) this.acknowledged.push({ id, kind, key, steer: steered });
  }

  /** Nobody waits for the answer before the end. */
  async #send(): Promise<void> {
    const process = await this.#process();
    if (!process) return;
    const id = `send-${(this.#count += 1)}`;
    const result = process.send({ text: `text of ${id}`, id });
    result.catch(() => undefined); // Looked at in the end.
    this.sent.push({ id, result });
  }

  async #changeTimer({ do: what, timer, minutes }: Extract<Step, { do: 'set' | 'cancel' }>): Promise<void> {
    const process = await this.#process();
    if (what === 'set') {
      this.cancelled.delete(timer);
      const every = minutes * MINUTE;
      await process?.timers.set({ id: timer, text: `every ${minutes}`, every }).catch(() => undefined);
      return;
    }
    const isDone = await process?.timers.cancel(timer).then(
      () => true,
      () => false,
    );
    if (isDone) this.cancelled.set(timer, (await this.messages()).length);
  }

  async #control(what: 'pause' | 'resume' | 'kill'): Promise<void> {
    const process = await this.#process();
    await process?.[what]().catch(() => undefined);
    // A store that failed may have taken it all the same, or not: then what is paused goes on waiting.
    if (what === 'kill') this.isKilled = (await this.rows('control')).some(({ key }) => key === 'killed');
  }

  async #mask({ do: what, kind }: Extract<Step, { do: 'mask' | 'unmask' }>): Promise<void> {
    const process = await this.#process();
    await process?.[what](kind).catch(() => undefined);
  }

  async #isBusy(): Promise<boolean> {
    if ((await this.rows('inbox')).length > 0) return true;
    return (await this.rows('state')).some(({ key }) => key === 'turn');
  }
}
