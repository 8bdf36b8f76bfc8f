/**
 * Runs one attached process: feeds events to its machine and performs the effects. One event is under way at a time;
 * whoever comes meanwhile waits in line.
 */
import type { Commit, CountablePiece, Lineage, Pid, RecallDriver, Tokens } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { Bus } from '../bus.js';
import type { MachineConfig } from '../core/config.js';
import type { Parts } from '../core/draft.js';
import type { Effect, Event, Interrupt, SummaryInput } from '../core/events.js';
import { Machine } from '../core/machine.js';
import type { TurnResult } from '../core/outcome.js';
import { pendingCalls } from '../core/queue.js';
import { changedBlocks } from '../core/records.js';
import type { ProcessState } from '../core/state.js';
import { TIMER_SPACE } from '../timer/timer.js';
import { runCall } from './calling.js';
import { runCycle } from './inference.js';
import type { ProcessLease } from './lease.js';
import { requestHash, type RecordingSink } from './recording.js';
import type { Services } from './services.js';
import { refreshedBefore } from './shared-turn.js';
import { stopWith } from './stopping.js';
import { makeSummary } from './summarising.js';

export interface RunnerOptions {
  readonly services: Services;
  readonly recall: RecallDriver;
  readonly lineage: Lineage;
  readonly config: MachineConfig;
  readonly parts: Parts;
  readonly state: ProcessState;
  /** Undefined for a process that the store does not have yet. */
  readonly saved: ProcessState | undefined;
  /** Rows that the first commit writes besides the state. */
  readonly firstCommit?: Pick<Commit, 'puts' | 'expect'>;
  /** None on an overlay, where nothing is committed. */
  readonly lease?: ProcessLease;
  readonly recording?: RecordingSink;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #machine: Machine;
  #line: Promise<unknown> = Promise.resolve();
  #turnStop = new AbortController();
  /** What the turn under way has not been told yet. */
  #steered: Interrupt[] = [];
  #firstCommit: Pick<Commit, 'puts' | 'expect'> | undefined;
  /** Set when a step failed half-way: what is in memory may be ahead of the store. */
  #broken: unknown;
  /** Set when the kernel closes: nothing new is begun. */
  #shut: PagefaultError | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#firstCommit = options.firstCommit;
    this.#machine = new Machine(options.config, options.parts, options.state, options.saved);
  }

  get pid(): Pid {
    return this.#options.config.pid;
  }

  get config(): MachineConfig {
    return this.#options.config;
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
  attach(signal?: AbortSignal): Promise<TurnResult | undefined> {
    const interrupted = pendingCalls(this.state).filter(({ name }) =>
      this.#options.services.executor.isOnce(name),
    );
    const makeEvent = (): Event => ({
      type: 'attached',
      at: this.#options.services.clock.now(),
      interrupted: interrupted.map(({ callId }) => callId),
    });
    return this.run(makeEvent, signal);
  }

  /**
   * Waits for its place in line, then drives the event to the end of its turn. When `makeEvent` fails nothing was
   * begun.
   */
  run(makeEvent: () => Event | Promise<Event>, signal?: AbortSignal): Promise<TurnResult | undefined> {
    return this.inLine(async () => {
      this.#check();
      return this.#drive(await makeEvent(), signal);
    });
  }

  /** Several events with nothing between them; resolves to what each came to. */
  runAll(events: readonly (() => Event)[], signal?: AbortSignal): Promise<(TurnResult | undefined)[]> {
    return this.inLine(async () => {
      const results = [];
      for (const makeEvent of events) results.push(await this.#drive(makeEvent(), signal));
      return results;
    });
  }

  /** Reclaims when main context is fuller than `backgroundShare`; whoever comes meanwhile waits for the summary. */
  async idle(): Promise<void> {
    await this.run(() => ({ type: 'idle', at: this.#options.services.clock.now() }));
  }

  /** Work that must not overlap with a turn. */
  inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined); // The failure is the caller's; the line goes on.
    return result;
  }

  /** For the turn under way; a no-op between turns, when the interrupt gets its own. */
  steer(interrupt: Interrupt): void {
    if (this.state.turn) this.#steered.push(interrupt);
  }

  /** Stops the turn that is under way; the process goes on with the next interrupt. */
  stopTurn(reason?: Error): void {
    this.#turnStop.abort(reason);
  }

  /** Begins no other turn: what waits stays in the inbox. Resolves when the one under way has ended. */
  async shut(): Promise<void> {
    this.#shut ??= new PagefaultError('E_NOT_OPEN', 'the kernel is closing', {
      hint: 'what was delivered stays in the inbox; boot a new kernel and call resume()',
    });
    await this.#line;
  }

  async close(): Promise<void> {
    await this.#line;
    try {
      await this.#options.recording?.close();
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
      const result = await this.#performAll(first, stop.signal);
      if (result) this.#options.services.bus.raise('turn-result', { pid: this.pid, result });
      return result;
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
        else event = (await this.#perform(effect, stop)) ?? event;
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
    this.#options.recording?.write({ type: 'event', event });
    return this.#machine.step(event);
  }

  async #perform(effect: Effect, signal: AbortSignal): Promise<Event | undefined> {
    const { services } = this.#options;
    switch (effect.type) {
      case 'observe':
        this.#options.recording?.write({ type: 'observation', observation: effect.observation });
        return void raise(services.bus, effect.observation, this.pid);
      case 'commit':
        return void (await this.#commit(effect.commit));
      case 'count':
        return { type: 'counted', tokens: await this.#count(effect.pieces) };
      case 'summarise':
        return this.#summarise(effect.input, signal);
      case 'laid-out':
        return this.#recordRequest(effect);
      case 'infer':
        this.#recordRequest(effect);
        return this.#infer(effect, signal);
      case 'call':
        return runCall(this.#options, this, effect, signal);
      case 'end':
        return undefined;
    }
  }

  #recordRequest({ request, tokens }: Extract<Effect, { type: 'infer' | 'laid-out' }>): undefined {
    this.#options.services.onRequest?.(this.pid, request, tokens);
    this.#options.recording?.write({ type: 'request', sha256: requestHash(request), tokens });
  }

  async #summarise(input: SummaryInput, signal: AbortSignal): Promise<Event> {
    const { summariser, bus, clock } = this.#options.services;
    const onFailure = (error: unknown) => bus.raise('summary-failed', { pid: this.pid, error });
    const summary = await makeSummary(summariser, input, signal, onFailure);
    // Between two turns nothing presses: better no reclaim than the summary of one who was stopped.
    if (signal.aborted && !this.state.turn) return { type: 'cancelled', at: clock.now() };
    return { type: 'summarised', ...summary };
  }

  async #commit(commit: Commit): Promise<void> {
    const { lease, recall, services } = this.#options;
    const first = this.#firstCommit;
    this.#firstCommit = undefined;
    const full: Commit = {
      ...commit,
      puts: [...(first?.puts ?? []), ...(commit.puts ?? [])],
      expect: [...(first?.expect ?? []), ...(commit.expect ?? [])],
      ...(lease && { fence: lease.fence }),
    };
    await recall.commit(full);
    if (commit.documents?.length) services.wakeIndexer();
    for (const name of first ? [] : changedBlocks(commit))
      services.bus.raise('block-changed', { pid: this.pid, name });
    for (const { space, dueAt } of commit.puts ?? []) {
      if (space === TIMER_SPACE && dueAt !== undefined) services.wakeScheduler(dueAt);
    }
  }

  async #count(
    pieces: readonly { readonly key: string; readonly piece: CountablePiece }[],
  ): Promise<Record<string, Tokens>> {
    const { processor } = this.#options.services;
    const counts = await processor.count(pieces.map(({ piece }) => piece));
    return Object.fromEntries(pieces.map(({ key }, index) => [key, Math.ceil(counts[index] ?? 0)]));
  }

  async #infer(effect: Extract<Effect, { type: 'infer' }>, signal: AbortSignal): Promise<Event> {
    const { services, lease, parts } = this.#options;
    const turnId = this.state.turn?.id ?? '';
    lease?.check();
    const onText = (text: string) => services.bus.raise('delta', { pid: this.pid, turnId, text });
    const outcome = await runCycle(
      services.processor,
      effect.request,
      signal,
      onText,
      parts.dialect.speaksBesideCalls,
    );
    const stamp = { at: services.clock.now(), messageId: services.mintId() };
    if (outcome.ok) return { type: 'replied', ...stamp, reply: outcome.reply };
    return { type: 'infer-failed', ...stamp, failure: outcome.failure, partial: outcome.partial };
  }
}

/** Each observation under its own name. */
function raise(bus: Bus, observation: Extract<Effect, { type: 'observe' }>['observation'], pid: Pid): void {
  const event = { ...observation, pid };
  bus.raise(observation.name, event as never);
}
