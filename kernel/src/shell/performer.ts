/**
 * Performs the effects of one process's machine. What must be answered comes back as the machine's next event.
 */
import type {
  Commit,
  CountablePiece,
  Lineage,
  Pid,
  ProcessorDriver,
  RecallDriver,
  Tokens,
} from '@pagefault/contracts';
import type { Bus } from '../bus.js';
import { billOf, type NamedBill, named } from '../core/bills.js';
import type { MachineConfig } from '../core/config.js';
import type { Parts } from '../core/draft.js';
import type { Effect, Event, SummaryInput } from '../core/events.js';
import type { Machine } from '../core/machine.js';
import { changedBlocks } from '../core/records.js';
import type { Summariser } from '../summariser/summariser.js';
import { TIMER_SPACE } from '../timer/timer.js';
import { runCall } from './turn/calling.js';
import { runCycle } from './turn/inference.js';
import type { ProcessLease } from './processes/lease.js';
import type { Tape } from './recordings/recording.js';
import type { Services } from './services.js';
import { makeSummary } from './turn/summarising.js';

export interface PerformerOptions {
  readonly services: Services;
  readonly recall: RecallDriver;
  readonly lineage: Lineage;
  readonly config: MachineConfig;
  readonly processor: ProcessorDriver;
  readonly summariser: Summariser;
  readonly parts: Parts;
  /** Rows that the first commit writes besides the state. */
  readonly firstCommit?: Pick<Commit, 'puts' | 'expect'>;
  /** None on an overlay, where nothing is committed. */
  readonly lease?: ProcessLease;
  readonly tape?: Tape;
}

export class Performer {
  readonly #options: PerformerOptions;
  readonly #machine: Pick<Machine, 'state' | 'budget'>;
  #firstCommit: Pick<Commit, 'puts' | 'expect'> | undefined;

  constructor(options: PerformerOptions, machine: Pick<Machine, 'state' | 'budget'>) {
    [this.#options, this.#machine] = [options, machine];
    this.#firstCommit = options.firstCommit;
  }

  get #pid(): Pid {
    return this.#options.config.pid;
  }

  async perform(effect: Effect, signal: AbortSignal): Promise<Event | undefined> {
    const { services } = this.#options;
    switch (effect.type) {
      case 'observe':
        this.#options.tape?.write({ type: 'observation', observation: effect.observation });
        return void raise(services.bus, effect.observation, this.#pid);
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
        return runCall(this.#options, this.#machine, effect, signal);
      case 'end':
        return undefined;
    }
  }

  #recordRequest({ request, tokens }: Extract<Effect, { type: 'infer' | 'laid-out' }>): undefined {
    this.#options.services.onRequest?.(this.#pid, request, tokens);
    this.#options.tape?.writeRequest(request, tokens);
  }

  async #summarise(input: SummaryInput, signal: AbortSignal): Promise<Event> {
    const { services, summariser } = this.#options;
    const isKept = this.#options.lease !== undefined;
    const makers = { summariser, services, processor: this.#name, isKept };
    const summary = await makeSummary(makers, this.#machine.state, input, signal);
    // Between two turns nothing presses: better no reclaim than the summary of one who was stopped.
    const { bills } = summary;
    if (signal.aborted && !this.#machine.state.turn)
      return { type: 'cancelled', at: services.clock.now(), ...(bills && { bills }) };
    return { type: 'summarised', ...summary };
  }

  async #commit(commit: Commit): Promise<void> {
    const { lease, recall, services } = this.#options;
    const first = this.#firstCommit;
    this.#firstCommit = undefined;
    const puts = [...(first?.puts ?? []), ...(commit.puts ?? [])];
    const expect = [...(first?.expect ?? []), ...(commit.expect ?? [])];
    await recall.commit({ ...commit, puts, expect, ...(lease && { fence: lease.fence }) });
    if (commit.documents?.length) services.wakeIndexer();
    for (const name of first ? [] : changedBlocks(commit))
      services.bus.raise('block-changed', { pid: this.#pid, name });
    if (commit.deletes?.some(({ space }) => space === TIMER_SPACE)) services.inboxChanged(this.#pid);
    for (const { space, dueAt } of commit.puts ?? []) {
      if (space === TIMER_SPACE && dueAt !== undefined) services.wakeScheduler(dueAt);
    }
  }

  async #count(
    pieces: readonly { readonly key: string; readonly piece: CountablePiece }[],
  ): Promise<Record<string, Tokens>> {
    const { processor, services } = this.#options;
    const counts = await processor.count(
      pieces.map(({ piece }) => piece),
      undefined,
      (error) => services.bounded.tell(this.#pid, this.#name, error),
    );
    return Object.fromEntries(pieces.map(({ key }, index) => [key, Math.ceil(counts[index] ?? 0)]));
  }

  async #infer(effect: Extract<Effect, { type: 'infer' }>, signal: AbortSignal): Promise<Event> {
    const { services, lease, parts, processor } = this.#options;
    const turnId = this.#machine.state.turn?.id ?? '';
    lease?.check();
    const capped = await services.spending.cap(this.#machine.state);
    if (capped)
      return {
        type: 'infer-failed',
        at: services.clock.now(),
        messageId: services.mintId(),
        failure: capped,
        partial: '',
      };
    const onText = (text: string) => services.bus.raise('delta', { pid: this.#pid, turnId, text });
    const outcome = await runCycle(
      processor,
      effect.request,
      signal,
      onText,
      parts.dialect.speaksBesideCalls,
    );
    const stamp = { at: services.clock.now(), messageId: services.mintId() };
    const lost = named(outcome.bills, this.#name);
    const bills = { ...(lost.length > 0 && { bills: lost }) };
    if (!outcome.ok) {
      this.#heard(lost);
      return { type: 'infer-failed', ...stamp, failure: outcome.failure, partial: outcome.partial, ...bills };
    }
    const { reply } = outcome;
    this.#heard([...lost, ...named([billOf(reply)], reply.route?.answeredBy ?? this.#name)]);
    if (reply.route) services.bus.raise('processor-routed', { ...reply.route, pid: this.#pid });
    return { type: 'replied', ...stamp, reply, ...bills };
  }

  /** What an overlay spends is noted when its turn has ended: it has no row of its own. */
  #heard(bills: readonly NamedBill[]): void {
    const { services, lease } = this.#options;
    const { spend = 0 } = this.#machine.state.head.counters;
    services.spending.heard(this.#pid, bills, lease && spend);
  }

  /** Of the processor, in the stack. */
  get #name(): string {
    return this.#options.config.processor.name ?? '';
  }
}

/** Each observation under its own name. */
function raise(bus: Bus, observation: Extract<Effect, { type: 'observe' }>['observation'], pid: Pid): void {
  const event = { ...observation, pid };
  bus.raise(observation.name, event as never);
}
