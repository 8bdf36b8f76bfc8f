/**
 * What a kernel does by itself while it serves: claims the timers that are due, and picks up what was left in inboxes. On
 * a store that others write to it asks again and again, for nobody tells it.
 */
import type { Instant, OwnedRow, Pid, RecallDriver } from '@pagefault/contracts';
import type { Clock } from '../../clock.js';
import type { Limits } from '../../limits.js';
import type { Delivery } from './delivery.js';
import { timersOf, timersOfAll } from './due-rows.js';
import { leftOver } from './pick-up.js';
import { Scheduler } from './scheduler.js';
import { claimTimer } from './timer-claim.js';

export interface ServeOptions {
  /** Serve this process alone. Default: all processes of the store. */
  readonly only?: Pid;
}

export interface ServicePort {
  readonly recall: RecallDriver;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'pollMs' | 'leaseMs' | 'timerDeliveries'>;
  /** Only this process; all others are left to whoever serves them. */
  readonly only: Pid | undefined;
  nextPlace(): string;
  serveSoon(pid: Pid): void;
  onClaim(pid: Pid, delivery: Delivery): void;
  onFailure(error: unknown): void;
}

export class Service {
  readonly #port: ServicePort;
  readonly #scheduler: Scheduler;
  #keepAlive: NodeJS.Timeout | undefined;
  #cancelPoll: (() => void) | undefined;
  #picking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(port: ServicePort) {
    this.#port = port;
    const { recall, clock, limits, only } = port;
    this.#scheduler = new Scheduler({
      clock,
      rows: only === undefined ? timersOfAll(recall) : timersOf(recall, only),
      claim: (row, now) => this.#claim(row, now),
      pollMs: limits.pollMs,
      shared: recall.supports.shared,
      onFailure: (error) => port.onFailure(error),
    });
  }

  /** Resolves when all that is due or was left is on its way. */
  async start(): Promise<void> {
    // Whoever serves stays alive for it, as one who listens does.
    this.#keepAlive ??= setInterval(() => undefined, 2 ** 31 - 1);
    this.#picking = this.#pickUp();
    await Promise.all([this.#picking, this.#scheduler.start()]);
  }

  /** Whether it asks by itself what was posted to a process. */
  looksAt(pid: Pid): boolean {
    return this.#port.only === undefined || this.#port.only === pid;
  }

  wake(dueAt: Instant): void {
    this.#scheduler.wake(dueAt);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#keepAlive);
    this.#cancelPoll?.();
    await Promise.all([this.#scheduler.stop(), this.#picking]);
  }

  async #claim(row: OwnedRow, now: Instant): Promise<void> {
    const { recall, limits, nextPlace, serveSoon } = this.#port;
    try {
      const delivery = await claimTimer(recall, row, {
        now,
        place: nextPlace(),
        keep: limits.timerDeliveries,
      });
      if (delivery && delivery.state !== 'overtaken') this.#port.onClaim(row.pid, delivery);
    } finally {
      // Also when it failed: it may be in the inbox all the same.
      serveSoon(row.pid);
    }
  }

  /** After a while what was left is looked for again. */
  lookAgain(): void {
    const { clock, limits } = this.#port;
    if (this.#isStopped) return;
    this.#cancelPoll ??= clock.at(clock.now() + limits.pollMs, () => {
      this.#cancelPoll = undefined;
      this.#picking = this.#pickUp();
    });
  }

  /** A turn that began later is run by somebody, or by nobody whose lease has run out. */
  #abandonedBefore(): Instant {
    const { recall, clock, limits } = this.#port;
    return clock.now() - (recall.supports.shared ? limits.leaseMs : 0);
  }

  async #pickUp(): Promise<void> {
    const { recall, only, serveSoon, onFailure } = this.#port;
    try {
      const pids = only === undefined ? await leftOver(recall, this.#abandonedBefore()) : [only];
      for (const pid of pids) serveSoon(pid);
      if (recall.supports.shared) this.lookAgain();
    } catch (error) {
      onFailure(error);
      this.lookAgain();
    }
  }
}
