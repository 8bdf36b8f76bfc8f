/**
 * Serves the inbox of one process: one interrupt after the other, each in its own turn. One that fails stays in the
 * inbox, and holds up nobody. Who is next is looked up anew after each turn, so that a user's message which came
 * meanwhile goes before timers that wait.
 */
import { hasCode, PagefaultError, type Pid } from '@pagefault/contracts';
import type { Event, Interrupt } from '../../core/events.js';
import type { TurnResult } from '../../core/outcome.js';
import { isServed, killedError } from '../processes/control.js';
import { type Arrival, type Delivery, enqueue } from './delivery.js';
import { discard, isForeign, storedResult, waiting, whatBecameOf, withdraw } from './inbox.js';
import type { Runner } from '../runner.js';
import type { Services } from '../services.js';
import { stopWith } from '../stopping.js';
import { lineageOf, type ProcessRecord } from '../storage.js';
import { Waiters } from './waiters.js';

/** How the turns of the process are run. */
export interface Runs {
  /** Attached; attached again when the last runner broke. */
  attach(): Promise<Runner>;
  event(interrupt: Interrupt): Event;
  /** For the turn that is under way, if one is. */
  steer(interrupt: Interrupt): void;
}

export class InboxServer {
  readonly #record: ProcessRecord;
  readonly #services: Services;
  readonly #runs: Runs;
  readonly #waiters = new Waiters();
  #serving: Promise<readonly unknown[]> = Promise.resolve([]);
  /** Loops that run or wait for their turn. */
  #loops = 0;
  /** Something arrived or was let go since the inbox was read. */
  #changed = false;
  /** Since the inbox was read. */
  readonly #withdrawn = new Map<string, PagefaultError>();
  #refusal: PagefaultError | undefined;

  constructor(record: ProcessRecord, services: Services, runs: Runs) {
    [this.#record, this.#services, this.#runs] = [record, services, runs];
  }

  get #pid(): Pid {
    return this.#record.pid;
  }

  /** Nobody waits for an answer, and nothing is served. */
  get isIdle(): boolean {
    return this.#loops === 0 && this.#waiters.isEmpty;
  }

  get isServing(): boolean {
    return this.#loops > 0;
  }

  /** Resolves when what is served now was. */
  async served(): Promise<void> {
    await this.#serving;
  }

  /** Paused, masked or let go: what is served next is looked up again. */
  changed(): void {
    this.#changed = true;
  }

  /** Taken out of the inbox by others: one that was read before is not served, and who waits for it is told. */
  withdrawn(ids: readonly string[], reason: PagefaultError): void {
    for (const id of ids) {
      this.#withdrawn.set(id, reason);
      this.#waiters.fail(id, reason);
    }
    this.#changed = true;
  }

  /** Serves nobody any more. */
  refuseAll(reason: PagefaultError): void {
    this.#refusal = reason;
    this.#waiters.failAll(reason);
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
    const { id } = interrupt;
    // Whoever waits is there before the inbox is read, so that no answer can pass by unheard.
    const waiter = this.#waiters.wait(id, signal);
    try {
      const { state, servedAs } = await this.post({ interrupt });
      this.#waiters.move(id, servedAs, waiter);
      const stored =
        state === 'known' ? await storedResult(this.#services.recall, this.#pid, servedAs) : undefined;
      if (stored) this.#waiters.settle(stored);
      else void this.serve();
    } catch (error) {
      this.#waiters.leave(id, waiter);
      throw error;
    }
    return waiter.answered;
  }

  /** Resolves when the interrupt is in the inbox; it is not served by this. */
  async post(arrival: Arrival): Promise<Delivery> {
    if (this.#refusal) throw this.#refusal;
    const { recall, bus, nextPlace } = this.#services;
    const { interrupt } = arrival;
    const delivery = await enqueue(recall, this.#pid, arrival, nextPlace());
    if (delivery.state === 'known') return delivery;
    this.#changed = true;
    const { id, kind, delivery: when } = interrupt;
    bus.raise('interrupt-delivered', { pid: this.#pid, interruptId: id, kind, servedAs: delivery.servedAs });
    if (when === 'steer' && delivery.state === 'queued') await this.#steer(id);
    return delivery;
  }

  /** As it stands in the inbox: the turn takes it out from there. */
  async #steer(id: string): Promise<void> {
    const { control, interrupts } = await waiting(this.#services.recall, this.#pid);
    const interrupt = interrupts.find((one) => one.id === id);
    if (interrupt && isServed(control, interrupt)) this.#runs.steer(interrupt);
  }

  /** One loop at a time; whoever comes while it runs is served by it. Resolves to what failed. */
  serve(): Promise<readonly unknown[]> {
    // One that waits for its turn will see all that is there now.
    if (this.#loops > 1) return this.#serving;
    this.#loops++;
    this.#serving = this.#serving.then(() => this.#serveWaiting()).finally(() => this.#loops--);
    return this.#serving;
  }

  async #serveWaiting(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    const tried = new Set<string>();
    try {
      for (let more = true; more;) {
        this.#changed = false;
        more = await this.#serveUntilChange(tried, failures);
      }
    } catch (error) {
      failures.push(error);
      this.#waiters.failAll(error);
    }
    return failures;
  }

  /** False when all was tried that waits. */
  async #serveUntilChange(tried: Set<string>, failures: unknown[]): Promise<boolean> {
    const { shared } = this.#services.recall.supports;
    for (const interrupt of await this.#servable()) {
      if (tried.has(interrupt.id)) continue;
      tried.add(interrupt.id);
      const isDone = await this.#serveOne(interrupt).catch((error: unknown) => failures.push(error));
      if (isDone === false) tried.delete(interrupt.id);
      // One that goes first may have come, or the process may have been paused; others may do so unheard.
      if (this.#changed || shared) return true;
    }
    return this.#changed;
  }

  /** What may be served now, first come first within its kind. What a killed process was sent is thrown away. */
  async #servable(): Promise<readonly Interrupt[]> {
    const { recall } = this.#services;
    this.#withdrawn.clear();
    const { control, interrupts } = await waiting(recall, this.#pid);
    if (control.killedAt === undefined) return interrupts.filter((one) => isServed(control, one));
    await discard(recall, this.#pid, interrupts);
    this.#waiters.failAll(killedError(this.#pid));
    return [];
  }

  /**
   * One that fails stays in the inbox, and is served at the next send or resume; the others go on. False when another was
   * merged into it before it could be taken: then it must be read again.
   */
  async #serveOne(interrupt: Interrupt): Promise<boolean> {
    const stop = stopWith(this.#waiters.signalsOf(interrupt.id));
    try {
      const runner = await this.#runs.attach();
      const result = await runner.run(() => this.#eventOf(interrupt), stop.signal);
      if (result) this.#waiters.settle(result);
      // What was steered into the turn is not in the inbox any more.
      if (result && result.interruptIds.length > 1) this.#changed = true;
      return true;
    } catch (error) {
      const became = hasCode(error, 'E_CONFLICT') ? await this.#settleConflict(interrupt) : 'stuck';
      if (became === 'merged') return false;
      this.#waiters.fail(interrupt.id, error);
      if (became === 'withdrawn') return true;
      throw error;
    } finally {
      stop.leave();
    }
  }

  /** In its place in line: it may have been withdrawn while it waited there. */
  #eventOf(interrupt: Interrupt): Event {
    const withdrawn = this.#withdrawn.get(interrupt.id);
    if (withdrawn) throw withdrawn;
    return this.#runs.event(interrupt);
  }

  /** `merged`: another came into it, and it is served anew. `withdrawn`: others took it out. `stuck`: the rest. */
  async #settleConflict(interrupt: Interrupt): Promise<'merged' | 'withdrawn' | 'stuck'> {
    const { recall } = this.#services;
    const became = await whatBecameOf(recall, this.#pid, interrupt);
    if (became !== 'waits') {
      this.#changed = true;
      return became;
    }
    await withdraw(recall, this.#pid, lineageOf(this.#record), interrupt);
    return 'stuck';
  }
}
