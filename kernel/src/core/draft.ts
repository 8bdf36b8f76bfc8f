import type {
  Instant,
  Json,
  Message,
  MicroDollars,
  NeedReason,
  PageId,
  PageKind,
  Seq,
} from '@pagefault/contracts';
import type { PagingPolicy } from '../policy/policy.js';
import { type Billed, inputOf, type NamedBill, withBill } from './bills.js';
import { type Budget, budgetOf } from './budget.js';
import type { MachineConfig } from './config.js';
import type { Dialect } from './dialect/dialect.js';
import { messageDocument, withDocument } from './documents.js';
import type { Effect, Interrupt } from './events.js';
import type { Failure } from './outcome.js';
import { DELIVERY_SPACE, Journal } from './journal.js';
import type { Layout } from './layout/layout.js';
import { kernelMessageId } from './notices.js';
import type { Observation } from './observation.js';
import type { Outcome, TurnResult } from './outcome.js';
import { viewOf } from './page-view.js';
import { pushPage, pushResult, sealPage } from './queue.js';
import { SPEND_ROW } from './spend.js';
import {
  addCounters,
  type Counters,
  type ProcessState,
  residencyOf,
  type ResidentPage,
  type Summary,
  type Turn,
} from './state.js';
import { normaliseText } from './text.js';
import { calibrate } from './turn.js';

/** The replaceable parts that the core asks; all deterministic. */
export interface Parts {
  readonly policy: PagingPolicy;
  readonly layout: Layout;
  readonly dialect: Dialect;
}

/**
 * One process while a step runs: the state, what the next commit will write, and the effects so far. The state
 * itself stays immutable; the draft is the only place that points to the newest one.
 */
export class Draft {
  readonly config: MachineConfig;
  readonly parts: Parts;
  readonly budget: Budget;
  readonly journal: Journal;
  state: ProcessState;
  /** The latest instant that an event told. */
  now: Instant = 0;
  effects: Effect[] = [];
  /** Set when the turn has ended, until the commit that holds its end is told. */
  ended: TurnResult | undefined;
  /** Victims that wait for their summary. Not stored: after a crash they are simply still in the queue. */
  leaving: ReadonlySet<PageId> | undefined;
  /** Interrupts for the turn under way. Not stored: after a crash they are still in the inbox. */
  steered: readonly Interrupt[] = [];
  /** True while the commit waits for the message that follows. */
  held = false;
  /** True once this cycle has needed a reclaim. */
  reclaimed = false;
  /** As it was before a reclaim began to shrink it; it is given back when that did not help. */
  uncutSummary: Summary | undefined;
  /** True until a reclaim between two turns was looked at. */
  background = false;
  /** True until the pins are looked at again, after the window shrank or another processor counts. */
  pinsInDoubt = false;

  constructor(config: MachineConfig, parts: Parts, state: ProcessState, saved: ProcessState | undefined) {
    this.config = config;
    this.parts = parts;
    this.budget = budgetOf(config.processor, config.limits);
    this.journal = new Journal(config.pid, saved);
    this.state = state;
  }

  get turn(): Turn | undefined {
    return this.state.turn;
  }

  setTurn(change: Partial<Turn>): void {
    if (this.state.turn) this.state = { ...this.state, turn: { ...this.state.turn, ...change } };
  }

  bump(delta: Partial<Counters>): void {
    this.state = { ...this.state, head: addCounters(this.state.head, delta) };
  }

  /** What beside the replies of a turn is billed: tokens count where replies' count. */
  noteBilled({ bills = [], spend }: Billed): void {
    for (const bill of bills) {
      const { usage } = bill;
      this.bump({ input: inputOf(usage), cached: usage.cached, output: usage.output });
      this.noteBill(bill);
    }
    if (bills.length === 0) this.#noteSpend(spend);
  }

  noteBill(bill: NamedBill): void {
    const { head } = this.state;
    this.state = { ...this.state, head: { ...head, bills: withBill(head.bills ?? {}, bill) } };
    this.#noteSpend(bill.spend);
  }

  /** To the counters of process and turn, and to the row that the sum over all processes is read from. */
  #noteSpend(spend: MicroDollars = 0): void {
    if (spend === 0) return;
    this.bump({ spend });
    this.setTurn({ spend: (this.turn?.spend ?? 0) + spend });
    const { spend: total = 0 } = this.state.head.counters;
    this.journal.put({ ...SPEND_ROW, value: { microDollars: total } });
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }

  observe(observation: Observation): void {
    this.effects.push({ type: 'observe', observation });
  }

  /** A message of its own page, sealed unless it waits for results. */
  appendPage(kind: PageKind, message: Message, sealed = true): void {
    const seq = this.state.head.lastSeq + 1;
    this.state = pushPage(this.state, kind, seq, message, sealed);
    this.#log(seq, message);
  }

  /** A result within the open page. */
  appendResult(message: Message): void {
    const seq = this.state.head.lastSeq + 1;
    this.state = pushResult(this.state, seq, message);
    this.#log(seq, message);
  }

  /** A message that the kernel itself writes, as its own page. */
  appendNotice(write: (seq: Seq, at: Instant) => Message): void {
    this.appendPage('system', write(this.state.head.lastSeq + 1, this.now));
  }

  nextKernelMessageId(): string {
    return kernelMessageId(this.state.head.lastSeq + 1);
  }

  #log(seq: Seq, message: Message): void {
    this.journal.append({ seq, page: this.state.head.lastPage, message });
    const document = messageDocument(this.state.head, seq, message, this.config.zone);
    if (!document) return;
    this.journal.index(document, this.config.vectors);
    this.state = { ...this.state, head: withDocument(this.state.head, document) };
  }

  seal(): void {
    this.state = sealPage(this.state);
  }

  /** Tells the policy of a page that is sealed and counted. */
  born(page: ResidentPage): void {
    const view = viewOf(page, this.state.pages);
    this.parts.policy.onBirth(view);
    if (residencyOf(page) === 'stub') this.parts.policy.onResidency(page.id, 'stub', 'admission');
    const { id, ...told } = view;
    this.observe({ name: 'page-born', page: id, ...told });
  }

  /** A need of a page that is not resident is a page fault. */
  need(page: PageId, why: NeedReason): void {
    const fault = !this.state.pages.some((resident) => resident.id === page);
    this.bump({ needs: 1, faults: fault ? 1 : 0 });
    this.parts.policy.onNeed([{ id: page, why }], this.state.head.counters.cycles);
    this.observe({ name: 'page-needed', page, why, fault });
  }

  endTurn(outcome: Outcome, failure?: Failure): void {
    const { turn, ...state } = this.state;
    if (!turn) return;
    this.steered = [];
    const text = turn.answers.join('\n\n');
    const interruptIds = [turn.interruptId, ...(turn.steered ?? [])];
    const ended: TurnResult = {
      turnId: turn.id,
      interruptId: turn.interruptId,
      interruptIds,
      outcome,
      text,
      cycles: turn.cycle,
      ...(failure && { failure: { ...failure, message: normaliseText(failure.message) } }),
    };
    this.ended = ended;
    this.state = { ...state, head: calibrate(state.head, turn, this.config.limits) };
    if (turn.respond) {
      this.bump({ turns: 1 });
      const value = deliveryOf(ended);
      for (const key of interruptIds) this.journal.put({ space: DELIVERY_SPACE, key, value });
    }
    this.parts.policy.onBoundary?.('turn-end');
    this.observe({ name: 'turn-ended', turnId: turn.id, outcome, cycles: turn.cycle });
  }
}

function deliveryOf(result: TurnResult): Json {
  const { failure, interruptIds, ...rest } = result;
  return {
    state: 'done',
    ...rest,
    interruptIds: [...interruptIds],
    ...(failure && { failure: { ...failure } }),
  };
}
