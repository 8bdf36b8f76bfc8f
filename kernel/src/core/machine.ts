/**
 * The machine of one process: a reducer. `step` takes what the shell saw and says what to do next; it does no I/O,
 * reads no clock, draws no randomness and counts no tokens, so the same events always give the same effects.
 *
 * Protocol for callers: perform the effects in order. `count`, `summarise`, `infer` and `call` end their list and want
 * their event as the next `step`. A `commit` must be durable before the next effect is begun; when it fails, throw the
 * machine away and load the process again.
 */
import {
  insertPassages,
  noteSteered,
  stubOversized,
  takeInterrupt,
  takeSteered,
  warnOfPressure,
} from './admit.js';
import { cancelTurn, changePins, settleInterrupted, takeOutcome } from './calls.js';
import { countingKey, type MachineConfig } from './config.js';
import { Draft, type Parts } from './draft.js';
import { eraseFromContext } from './erasing.js';
import type { Effect, Event } from './events.js';
import { layOut } from './layout/layout.js';
import { isBlockNote } from './layout/rendering.js';
import {
  cutLongSummary,
  dropPinsOverLimit,
  finishEviction,
  mustReclaim,
  reclaim,
  reclaimInBackground,
} from './pager.js';
import { pressureOf, uncounted, withCounts, withoutCounts } from './pressure.js';
import { pendingCalls } from './queue.js';
import { noteLost, takeFailure, takeReply } from './reply.js';
import type { Head, ProcessState } from './state.js';
import { renderTail } from './tail.js';
import { capReached, spentCap } from './turn.js';
import { renderOverfullNotes, takeLayout, tellEdits } from './rendered-blocks.js';
import { changeBlocks, refreshViews } from './working-context.js';

export class Machine {
  readonly #draft: Draft;
  /** Pages up to this one were told to the policy. */
  #bornThrough: number;

  /** `saved` is what the store holds: the same as `state` after a load, undefined for a new process. */
  constructor(config: MachineConfig, parts: Parts, state: ProcessState, saved: ProcessState | undefined) {
    this.#draft = new Draft(config, parts, state, saved);
    this.#bornThrough = state.pages.findLast((page) => page.sealed)?.id ?? 0;
  }

  get state(): ProcessState {
    return this.#draft.state;
  }

  get budget(): Draft['budget'] {
    return this.#draft.budget;
  }

  step(event: Event): readonly Effect[] {
    this.#draft.effects = [];
    apply(this.#draft, event);
    // Whatever is awaited is still awaited.
    if (event.type !== 'steered') this.#advance();
    return this.#draft.effects;
  }

  /** Goes on until an effect must be answered, or nothing is left to do. */
  #advance(): void {
    const draft = this.#draft;
    for (;;) {
      if (draft.turn && tellEdits(draft)) continue;
      const pieces = uncounted(draft.state, draft.config, draft.parts.layout);
      if (pieces.length > 0) return draft.emit({ type: 'count', pieces });
      if (renderOverfullNotes(draft) || stubOversized(draft)) continue;
      if (cutLongSummary(draft) || dropPinsOverLimit(draft)) continue;
      this.#announceBirths();
      if (warnOfPressure(draft)) continue;
      if (this.#finishStep()) return;
    }
  }

  /** Commits and begins the next thing. False: something changed, look again. */
  #finishStep(): boolean {
    const draft = this.#draft;
    const { turn } = draft;
    // A fed message is committed with its reclaim, and with those that follow at once: until then nobody was told that
    // it is stored.
    if (turn?.respond !== false && !draft.held) this.#commit();
    if (!turn) return reclaimInBackground(draft) ? draft.leaving !== undefined : this.#end();
    const call = pendingCalls(draft.state)[0];
    if (call)
      return this.#emit({ type: 'call', callId: call.callId, name: call.name, arguments: call.arguments });
    if (takeSteered(draft)) return false;
    if (mustReclaim(draft)) {
      reclaim(draft);
      return draft.leaving !== undefined;
    }
    return this.#infer();
  }

  #emit(effect: Effect): true {
    this.#draft.emit(effect);
    return true;
  }

  #end(): true {
    const { ended } = this.#draft;
    if (ended) this.#draft.emit({ type: 'end', result: ended });
    this.#draft.ended = undefined;
    return true;
  }

  #commit(): void {
    const commit = this.#draft.journal.take(this.#draft.state);
    if (commit) this.#draft.emit({ type: 'commit', commit });
  }

  /** A page is born when it is sealed; only then does it have a final size. Notes of edits are no policy's business. */
  #announceBirths(): void {
    const draft = this.#draft;
    const known = draft.state.pages.findLastIndex((page) => page.id <= this.#bornThrough);
    for (const page of draft.state.pages.slice(known + 1)) {
      if (!page.sealed) continue;
      this.#bornThrough = page.id;
      if (isBlockNote(page)) continue;
      draft.born(page);
    }
  }

  #infer(): boolean {
    const draft = this.#draft;
    const { turn, config, state } = draft;
    if (!turn) return true;
    const reclaims = draft.reclaimed ? turn.reclaims + 1 : 0;
    draft.reclaimed = false;
    draft.uncutSummary = undefined;
    const capped = capReached({ ...turn, reclaims }, state, config.limits, draft.now);
    if (capped && turn.respond) {
      draft.endTurn(capped, capped === 'spend-cap' ? spentCap({ ...state, turn }, config.limits) : undefined);
      return false;
    }
    const tokens = pressureOf(state);
    const request = this.#layOut();
    draft.observe({ name: 'request', tokens, budget: draft.budget.tokens, cycle: turn.cycle + 1 });
    if (!turn.respond) {
      draft.emit({ type: 'laid-out', request, tokens });
      draft.endTurn('appended');
      return false;
    }
    draft.setTurn({ cycle: turn.cycle + 1, reclaims });
    return this.#emit({ type: 'infer', request, tokens });
  }

  #layOut() {
    const { config, parts, state, budget, now } = this.#draft;
    const tail = renderTail(state, pressureOf(state), budget.tokens, now, config.zone);
    return {
      tools: config.tools,
      system: parts.layout.system(config.instructions, state),
      ...layOut(parts.layout, state, tail),
      maxOutput: budget.reserve,
    };
  }
}

function apply(draft: Draft, event: Event): void {
  if ('at' in event) draft.now = event.at;
  switch (event.type) {
    case 'attached':
      return attach(draft, event);
    case 'interrupt':
      return takeInterrupt(draft, event.turnId, event.interrupt);
    case 'counted':
      draft.state = withCounts(draft.state, event.tokens);
      return;
    case 'summarised':
      draft.noteBilled(event);
      return finishEviction(draft, event.text);
    case 'replied':
      return takeReply(draft, event.messageId, event.reply, event.bills);
    case 'infer-failed':
      noteLost(draft, event.bills);
      return takeFailure(draft, event.messageId, event.failure, event.partial);
    case 'call-finished':
      return takeOutcome(draft, event.callId, event.messageId, event.outcome);
    case 'cancelled':
      draft.noteBilled(event);
      return cancelTurn(draft);
    case 'idle':
      draft.background = draft.turn === undefined;
      return;
    case 'pin':
      changePins(draft, event.change);
      return;
    case 'steered':
      return noteSteered(draft, event.interrupt);
    case 'erased':
      return eraseFromContext(draft, event);
    case 'passages':
      // Its sender is told that it is stored: nothing is held back any longer.
      draft.held = false;
      return insertPassages(draft, event.passages);
    case 'edited':
      draft.held = false;
      return void changeBlocks(draft, event.edits, event.by);
    case 'refreshed':
      draft.held = false;
      return refreshViews(draft, event);
  }
}

/**
 * Another processor or program counts differently, so everything is counted again; what was pinned under a larger
 * window may be too much now. The time that a turn was cut off is not time that it took.
 */
function attach(draft: Draft, { interrupted, use }: Extract<Event, { type: 'attached' }>): void {
  if (use) draft.state = { ...draft.state, head: onProcessor(draft.state.head, use.processor) };
  const key = countingKey(draft.config);
  const recounts = draft.state.head.countedFor !== key;
  if (recounts) draft.state = withoutCounts(draft.state, key);
  const { pins } = draft.state.head;
  draft.pinsInDoubt = pins !== undefined && (recounts || draft.budget.tokens < pins.budget);
  takeLayout(draft);
  draft.setTurn({ startedAt: draft.now });
  settleInterrupted(draft, interrupted);
}

function onProcessor({ processor: _, ...head }: Head, name: string | undefined): Head {
  return name === undefined ? head : { ...head, processor: name };
}
