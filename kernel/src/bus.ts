/**
 * The interrupt bus: what observers may listen to. Observers cannot veto, answer or delay anything; one that throws
 * or rejects harms no other (field report C30).
 */
import type { PagefaultError, Pid, ReplyRoute } from '@pagefault/contracts';
import { EventEmitter } from 'eventemitter3';
import type { InterruptKind } from './core/interrupt-kind.js';
import type { Observation } from './core/observation.js';
import type { TurnResult } from './core/outcome.js';
import type { ErasureReport } from './shell/erasure/report.js';

/** What the core noticed, under its own name, with the process it is about. */
type Observed = { [O in Observation as O['name']]: [event: O & { readonly pid: Pid }] };

export interface KernelEvents extends Observed {
  /** An interrupt is durable in the inbox. */
  'interrupt-delivered': [event: DeliveredInterrupt];
  /** Text for the user, as the model writes it. Provisional until the turn's result. */
  delta: [event: { readonly pid: Pid; readonly turnId: string; readonly text: string }];
  /** One of several processors answered; those that were asked or passed over before it are told with the reason. */
  'processor-routed': [event: RoutedReply];
  /** There is a cap on spending, and what this processor's replies cost is not known: they count as nothing. Once each. */
  'spend-unknown': [event: { readonly pid: Pid; readonly processor: string }];
  /**
   * Tokens were to be counted by the provider, and upper bounds stand in. Once for a process and the processor that it runs
   * on, until this kernel ends.
   */
  'exact-count-failed': [event: FailedCount];
  'call-started': [event: StartedCall];
  'call-finished': [event: FinishedCall];
  /** A block was edited, added or removed, by whomever, and that is stored. */
  'block-changed': [event: { readonly pid: Pid; readonly name: string }];
  'turn-result': [event: { readonly pid: Pid; readonly result: TurnResult }];
  /** The model's summary failed; the model-free one took its place, or nothing was evicted. */
  'summary-failed': [event: { readonly pid: Pid; readonly error: unknown }];
  /** Texts could not be embedded or stored; they stay in the outbox, and are found by text. */
  'index-failed': [event: { readonly error: unknown }];
  /** So many texts have left the outbox, nearly always with their vectors. */
  indexed: [event: { readonly pid: Pid; readonly texts: number }];
  /** A policy threw: from here on the oldest pages go. */
  'policy-failed': [event: { readonly pid: Pid; readonly policy: string; readonly error: unknown }];
  /** An idle process left this machine's memory; its next interrupt loads it again. */
  passivated: [event: { readonly pid: Pid }];
  'passivation-failed': [event: { readonly pid: Pid; readonly error: unknown }];
  /** A timer could not be claimed, or an inbox not be served; what waits stays, and is tried again. */
  'serve-failed': [event: { readonly error: unknown; readonly pid?: Pid }];
  /** What an erasure came to, in one process. */
  erased: [event: { readonly report: ErasureReport }];
  /** An erasure that was left open could not be gone on with; it stays so. */
  'erasure-failed': [event: { readonly pid?: Pid; readonly error: unknown }];
  'lease-lost': [event: { readonly pid: Pid }];
  'listener-failed': [event: { readonly event: string; readonly error: unknown }];
}

export interface DeliveredInterrupt {
  readonly pid: Pid;
  readonly interruptId: string;
  readonly kind: InterruptKind;
  /** The interrupt that is served for it: itself, or the one that waited and stands for both. */
  readonly servedAs: string;
}

export interface RoutedReply extends ReplyRoute {
  readonly pid: Pid;
  /** Set when it was a summary's. */
  readonly summary?: true;
}

export interface FailedCount {
  readonly pid: Pid;
  /** Its name in the stack. */
  readonly processor: string;
  readonly error: PagefaultError;
}

export interface StartedCall {
  readonly pid: Pid;
  readonly callId: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

export interface FinishedCall {
  readonly pid: Pid;
  readonly callId: string;
  readonly name: string;
  readonly isError: boolean;
  /** Handles of what memory put back, best first. */
  readonly recalled: readonly string[];
}

export type EventName = keyof KernelEvents;
export type Listener<Name extends EventName> = (...payload: KernelEvents[Name]) => unknown;

export class Bus {
  // The emitter is held, not extended: raising is the kernel's alone.
  readonly #emitter = new EventEmitter();

  /** Returns the way to stop listening. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    const guarded = (...payload: KernelEvents[Name]) => this.#call(name, listener, payload);
    this.#emitter.on(name, guarded);
    return () => void this.#emitter.off(name, guarded);
  }

  raise<Name extends EventName>(name: Name, ...payload: KernelEvents[Name]): void {
    this.#emitter.emit(name, ...payload);
  }

  /** For tests: listeners are the one leak that nothing else shows. */
  listenerCount(name: EventName): number {
    return this.#emitter.listenerCount(name);
  }

  #call<Name extends EventName>(name: Name, listener: Listener<Name>, payload: KernelEvents[Name]): void {
    try {
      const result = listener(...payload);
      if (result instanceof Promise) result.catch((error: unknown) => this.#report(name, error));
    } catch (error) {
      this.#report(name, error);
    }
  }

  /** A failing `listener-failed` listener ends here: telling it about itself would not end. */
  #report(name: EventName, error: unknown): void {
    if (name !== 'listener-failed') this.raise('listener-failed', { event: name, error });
  }
}
