/**
 * Runs one attached process: feeds events to its machine and performs the effects. One event is under way at a time;
 * whoever comes meanwhile waits in line.
 */
import type { Commit, Pid } from '@pagefault/contracts';
import type { PagefaultError } from '@pagefault/contracts';
import type { MachineConfig } from '../core/config.js';
import type { Effect, Event, Interrupt } from '../core/events.js';
import { Machine } from '../core/machine.js';
import type { TurnResult } from '../core/outcome.js';
import { pendingCalls } from '../core/queue.js';
import type { ProcessState } from '../core/state.js';
import type { Summariser } from '../summariser/summariser.js';
import { Performer, type PerformerOptions } from './performer.js';
import type { Driven, ProcessorChoice } from './processes/processor-choice.js';
import { refreshedBefore } from './blocks/shared-turn.js';
import { closingError, stopWith } from './stopping.js';

export interface RunnerOptions extends PerformerOptions {
  readonly state: ProcessState;
  /** Undefined for a process that the store does not have yet. */
  readonly saved: ProcessState | undefined;
}

export class Runner {
  #options: RunnerOptions;
  #machine: Machine;
  #performer: Performer;
  #line: Promise<unknown> = Promise.resolve();
  #turnStop = new AbortController();
  /** What the turn under way has not been told yet. */
  #steered: Interrupt[] = [];
  /** Set when a step failed half-way: what is in memory may be ahead of the store. */
  #broken: unknown;
  /** Set when the kernel closes: nothing new is begun. */
  #shut: PagefaultError | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#machine = new Machine(options.config, options.parts, options.state, options.saved);
    this.#performer = new Performer(options, this.#machine);
    options.tape?.begin(options.state, options.config);
  }

  get pid(): Pid {
    return this.#options.config.pid;
  }

  get config(): MachineConfig {
    return this.#options.config;
  }

  get summariser(): Summariser {
    return this.#options.summariser;
  }

  get state(): ProcessState {
    return this.#machine.state;
  }

  get budget(): Machine['budget'] {
    return this.#machine.budget;
  }

  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /**
   * Goes on where a crash stopped, or brings a new process into the store. With a signal that has fired, a turn that
   * was cut off is ended and not gone on with.
   */
  attach(signal?: AbortSignal, use?: ProcessorChoice): Promise<TurnResult | undefined> {
    return this.run(() => this.#attached(use), signal);
  }

  #attached(use: ProcessorChoice | undefined): Event {
    const { executor, clock } = this.#options.services;
    const interrupted = pendingCalls(this.state).filter(({ name }) => executor.isOnce(name));
    const ids = interrupted.map(({ callId }) => callId);
    return { type: 'attached', at: clock.now(), interrupted: ids, ...(use && { use }) };
  }

  /**
   * Goes on with another processor, from the end of the turn under way on: everything is counted again, and a new
   * recording begins. `prepare` is called right before.
   */
  swap(driven: Driven, use: ProcessorChoice, prepare: () => void): Promise<void> {
    return this.exclusively(async (signal) => {
      const { firstCommit: _, tape, ...options } = this.#options;
      await tape?.end();
      try {
        prepare();
        this.#options = { ...options, ...driven, ...(tape && { tape }) };
        this.#machine = new Machine(driven.config, options.parts, this.state, this.state);
        this.#performer = new Performer(this.#options, this.#machine);
        tape?.begin(this.state, driven.config);
        await this.#performAll(this.#attached(use), signal);
      } catch (error) {
        this.#broken = error;
        throw error;
      }
    });
  }

  /**
   * Waits for its place in line, then drives the event to the end of its turn. When `makeEvent` fails nothing was
   * begun.
   */
  run(makeEvent: () => Event | Promise<Event>, signal?: AbortSignal): Promise<TurnResult | undefined> {
    return this.inLine(async () => {
      this.#check();
      const result = await this.#drive(await makeEvent(), signal);
      this.#tell(result);
      return result;
    });
  }

  /**
   * Several events with nothing between them; resolves to what each came to. That is told when the last one is done: the
   * commits of those before may be held until then.
   */
  runAll(events: readonly (() => Event)[], signal?: AbortSignal): Promise<(TurnResult | undefined)[]> {
    return this.inLine(async () => {
      const results = [];
      for (const makeEvent of events) results.push(await this.#drive(makeEvent(), signal));
      results.forEach((result) => this.#tell(result));
      return results;
    });
  }

  #tell(result: TurnResult | undefined): void {
    if (result) this.#options.services.bus.raise('turn-result', { pid: this.pid, result });
  }

  /** Reclaims when main context is fuller than `backgroundShare`; whoever comes meanwhile waits for the summary. */
  async idle(): Promise<void> {
    await this.run(() => ({ type: 'idle', at: this.#options.services.clock.now() }));
  }

  /** Rows beside the process's own state; it does not wait in line. */
  async write(rows: Pick<Commit, 'puts' | 'deletes'>): Promise<void> {
    this.#check();
    const { recall, lease } = this.#options;
    await recall.commit({ ...rows, pid: this.pid, ...(lease && { fence: lease.fence }) });
  }

  /** Work that must not overlap with a turn. */
  inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined); // The failure is the caller's; the line goes on.
    return result;
  }

  /** Work between two turns, as long as turns may be begun. Its signal fires when the turn would be stopped. */
  exclusively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.inLine(async () => {
      this.#check();
      this.#turnStop = new AbortController();
      return work(this.#turnStop.signal);
    });
  }

  /**
   * Only within `exclusively`. The recording ends, and a new one begins behind the event that `work` makes, if it makes
   * one: it begins no turn, and none of the two recordings has it.
   */
  async betweenRecordings(work: () => Promise<Event | undefined>): Promise<void> {
    const { tape } = this.#options;
    // It is about to be deleted: what could not be written of it is not missed.
    await tape?.end().catch(() => undefined);
    try {
      const event = await work();
      if (event) await this.#performAll(event, this.#turnStop.signal);
      tape?.begin(this.state, this.config);
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  /** For the turn under way; a no-op between turns, when the interrupt gets its own. */
  steer(interrupt: Interrupt): void {
    if (this.state.turn) this.#steered.push(interrupt);
  }

  /** What is in memory is not to be gone on with: whoever comes next attaches anew. */
  giveUp(reason: unknown): void {
    this.#broken ??= reason;
  }

  /** Stops the turn that is under way; the process goes on with the next interrupt. */
  stopTurn(reason?: Error): void {
    this.#turnStop.abort(reason);
  }

  /** Begins no other turn: what waits stays in the inbox. Resolves when the one under way has ended. */
  async shut(): Promise<void> {
    this.#shut ??= closingError();
    await this.#line;
  }

  async close(): Promise<void> {
    await this.#line;
    try {
      await this.#options.tape?.end();
    } finally {
      await this.#options.lease?.release();
    }
  }

  /** Throws when nothing may be begun. */
  #check(): void {
    if (this.#shut) throw this.#shut;
    if (this.#broken !== undefined) throw this.#broken;
  }

  async #drive(first: Event, signal: AbortSignal | undefined): Promise<TurnResult | undefined> {
    this.#check();
    this.#turnStop = new AbortController();
    this.#steered = [];
    const stop = stopWith([this.#turnStop.signal, ...(signal ? [signal] : [])]);
    try {
      const { recall, services } = this.#options;
      const refreshed = await refreshedBefore(first, recall, this.state.blocks, services.clock);
      if (refreshed) await this.#performAll(refreshed, stop.signal);
      return await this.#performAll(first, stop.signal);
    } catch (error) {
      this.#broken = error;
      throw error;
    } finally {
      stop.leave();
    }
  }

  async #performAll(first: Event, stop: AbortSignal): Promise<TurnResult | undefined> {
    let result: TurnResult | undefined;
    for (let event: Event | undefined = first; event;) {
      const effects = this.#step(event);
      event = undefined;
      for (const effect of effects) {
        if (effect.type === 'end') result = effect.result;
        else event = (await this.#performer.perform(effect, stop)) ?? event;
      }
      if (event) this.#tellSteered();
    }
    return result;
  }

  /** Between two steps, so that a recording tells it where it happened. */
  #tellSteered(): void {
    for (const interrupt of this.#steered.splice(0)) this.#step({ type: 'steered', interrupt });
  }

  #step(event: Event): readonly Effect[] {
    this.#options.tape?.write({ type: 'event', event });
    return this.#machine.step(event);
  }
}
