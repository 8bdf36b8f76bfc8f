/**
 * Serves the inbox of one process: one message after the other, each in its own turn. A message that fails stays in the
 * inbox, and holds up nobody.
 */
import { hasCode, PagefaultError, type Pid } from '@pagefault/contracts';
import type { Event, Interrupt } from '../core/events.js';
import type { TurnResult } from '../core/outcome.js';
import { isServed, killedError } from './control.js';
import { discard, enqueue, isForeign, storedResult, waiting, withdraw } from './inbox.js';
import type { Runner } from './runner.js';
import type { Services } from './services.js';
import { stopWith } from './stopping.js';
import { lineageOf, type ProcessRecord } from './storage.js';

interface Waiter {
  readonly signal: AbortSignal | undefined;
  readonly answered: Promise<TurnResult>;
  resolve(result: TurnResult): void;
  reject(error: unknown): void;
}

/** How the turns of the process are run. */
export interface Runs {
  /** Attached; attached again when the last runner broke. */
  attach(): Promise<Runner>;
  event(interrupt: Interrupt): Event;
}

export class InboxServer {
  readonly #record: ProcessRecord;
  readonly #services: Services;
  readonly #runs: Runs;
  readonly #waiters = new Map<string, Waiter[]>();
  #serving: Promise<readonly unknown[]> = Promise.resolve([]);
  /** Loops that run or wait for their turn. */
  #loops = 0;
  #arrivals = 0;
  /** Something arrived or was let go since the inbox was read. */
  #changed = false;

  constructor(record: ProcessRecord, services: Services, runs: Runs) {
    [this.#record, this.#services, this.#runs] = [record, services, runs];
  }

  get #pid(): Pid {
    return this.#record.pid;
  }

  /** Nobody waits for an answer, and nothing is served. */
  get isIdle(): boolean {
    return this.#loops === 0 && this.#waiters.size === 0;
  }

  /** Paused, masked or let go: what is served next is looked up again. */
  changed(): void {
    this.#changed = true;
  }

  /** Errors: `E_CONFLICT` for an id of the log that did not come through the inbox. */
  async refuseTaken(id: string): Promise<void> {
    if (!(await isForeign(this.#services.recall, this.#pid, lineageOf(this.#record), id))) return;
    throw new PagefaultError('E_CONFLICT', `the message id "${id}" is taken by a message that was not sent`, {
      hint: 'send it under another id, or without one',
    });
  }

  /** Resolves when the interrupt is answered; a second one with its id is answered by the same turn. */
  async deliver(interrupt: Interrupt, signal: AbortSignal | undefined): Promise<TurnResult> {
    // Whoever waits is there before the inbox is read, so that no answer can pass by unheard.
    const waiter = this.#wait(interrupt.id, signal);
    try {
      const stored = await this.#enqueue(interrupt);
      if (stored) this.#settle(stored);
      else void this.serve();
    } catch (error) {
      this.#leave(interrupt.id, waiter);
      throw error;
    }
    return waiter.answered;
  }

  /** The result of an earlier delivery, when it has one. */
  async #enqueue(interrupt: Interrupt): Promise<TurnResult | undefined> {
    const { recall, bus } = this.#services;
    const { id, kind } = interrupt;
    if (!(await enqueue(recall, this.#pid, interrupt, this.#arrival())))
      return storedResult(recall, this.#pid, id);
    this.#changed = true;
    bus.raise('interrupt-delivered', { pid: this.#pid, interruptId: id, kind });
    return undefined;
  }

  /** Sorts by time, then by order of arrival. */
  #arrival(): string {
    const { clock, mintId } = this.#services;
    const time = String(clock.now()).padStart(15, '0');
    return `${time}-${String(this.#arrivals++).padStart(9, '0')}-${mintId()}`;
  }

  #wait(id: string, signal: AbortSignal | undefined): Waiter {
    const { promise, resolve, reject } = deferred<TurnResult>();
    const waiter = { signal, answered: promise, resolve, reject };
    this.#waiters.set(id, [...(this.#waiters.get(id) ?? []), waiter]);
    return waiter;
  }

  #leave(id: string, waiter: Waiter): void {
    const others = (this.#waiters.get(id) ?? []).filter((other) => other !== waiter);
    if (others.length > 0) this.#waiters.set(id, others);
    else this.#waiters.delete(id);
  }

  /** One loop at a time; whoever comes while it runs is served by it. Resolves to what failed. */
  serve(): Promise<readonly unknown[]> {
    this.#loops++;
    this.#serving = this.#serving.then(() => this.#serveWaiting()).finally(() => this.#loops--);
    return this.#serving;
  }

  async #serveWaiting(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    const tried = new Set<string>();
    try {
      do {
        this.#changed = false;
        for (const interrupt of await this.#servable()) {
          if (tried.has(interrupt.id)) continue;
          tried.add(interrupt.id);
          await this.#serveOne(interrupt).catch((error: unknown) => failures.push(error));
          // One that goes first may have come, or the process may have been paused.
          if (this.#changed) break;
        }
      } while (this.#changed);
    } catch (error) {
      failures.push(error);
      for (const id of this.#waiters.keys()) this.#fail(id, error);
    }
    return failures;
  }

  /** What may be served now, first come first within its kind. What a killed process was sent is thrown away. */
  async #servable(): Promise<readonly Interrupt[]> {
    const { recall } = this.#services;
    const { control, interrupts } = await waiting(recall, this.#pid);
    if (control.killedAt === undefined) return interrupts.filter((one) => isServed(control, one));
    await discard(recall, this.#pid, interrupts);
    for (const id of this.#waiters.keys()) this.#fail(id, killedError(this.#pid));
    return [];
  }

  /** A message that fails stays in the inbox, and is served at the next send or resume; the others go on. */
  async #serveOne(interrupt: Interrupt): Promise<void> {
    const signals = (this.#waiters.get(interrupt.id) ?? []).flatMap(({ signal }) => signal ?? []);
    const stop = stopWith(signals);
    try {
      const runner = await this.#runs.attach();
      const result = await runner.run(() => this.#runs.event(interrupt), stop.signal);
      if (result) this.#settle(result);
    } catch (error) {
      if (hasCode(error, 'E_CONFLICT'))
        await withdraw(this.#services.recall, this.#pid, lineageOf(this.#record), interrupt);
      this.#fail(interrupt.id, error);
      throw error;
    } finally {
      stop.leave();
    }
  }

  #settle(result: TurnResult): void {
    const waiters = this.#waiters.get(result.interruptId) ?? [];
    this.#waiters.delete(result.interruptId);
    for (const waiter of waiters) waiter.resolve(result);
  }

  #fail(id: string, error: unknown): void {
    const waiters = this.#waiters.get(id) ?? [];
    this.#waiters.delete(id);
    for (const waiter of waiters) waiter.reject(error);
  }
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}
