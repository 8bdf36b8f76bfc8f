/** What comes in: interrupts and passages, and what happens to them at the door. */
import type { Json, Message } from '@pagefault/contracts';
import { shareOf } from './budget.js';
import { passageDocument, withDocument } from './documents.js';
import type { Draft } from './draft.js';
import type { Interrupt, NewPassage } from './events.js';
import { COALESCING_SPACE, DELIVERY_SPACE, INBOX_SPACE, PASSAGE_SPACE } from './journal.js';
import { pressureWarning } from './notices.js';
import { pressureOf } from './pressure.js';
import { stubInQueue } from './queue.js';
import { shownCharacters } from './reclaim.js';
import { tellEdits } from './rendered-blocks.js';
import { openPage, type Head, type ResidentMessage } from './state.js';
import { capReached, startTurn, steerTurn } from './turn.js';

/** Begins a turn: the interrupt's message is appended and marked consumed, in one commit. */
export function takeInterrupt(draft: Draft, turnId: string, interrupt: Interrupt): void {
  tellEdits(draft);
  draft.held = interrupt.hold === true && !interrupt.respond;
  draft.reclaimed = false; // What the turn before needed is not held against this one.
  const firstSeq = draft.state.head.lastSeq + 1;
  draft.state = { ...draft.state, turn: startTurn(turnId, interrupt, firstSeq, draft.now) };
  const { id, kind } = interrupt;
  draft.observe({ name: 'turn-started', turnId, interruptId: id, ...(kind !== 'user' && { kind }) });
  admit(draft, turnId, interrupt);
}

/** Waits for a moment at which no call is open; when the turn ends before that, it is still in the inbox. */
export function noteSteered(draft: Draft, interrupt: Interrupt): void {
  if (draft.turn?.respond) draft.steered = [...draft.steered, interrupt];
}

/** Before a cycle is laid out. True when something was taken. Not for a turn whose next cycle will not come. */
export function takeSteered(draft: Draft): boolean {
  const { turn, steered } = draft;
  if (!turn || steered.length === 0 || capReached(turn, draft.state, draft.config.limits, draft.now))
    return false;
  draft.steered = [];
  for (const interrupt of steered) {
    if (draft.turn) draft.state = { ...draft.state, turn: steerTurn(draft.turn, interrupt) };
    draft.observe({ name: 'turn-steered', turnId: turn.id, interruptId: interrupt.id });
    admit(draft, turn.id, interrupt);
  }
  return true;
}

function admit(draft: Draft, turnId: string, interrupt: Interrupt): void {
  const { id, message, respond } = interrupt;
  draft.state = {
    ...draft.state,
    head: withSpeaker(draft.state.head, message, draft.config.limits.speakers),
  };
  takeOut(draft, interrupt);
  if (respond) draft.journal.put({ space: DELIVERY_SPACE, key: id, value: { state: 'running', turnId } });
  const { role } = message;
  draft.appendPage(role === 'assistant' || role === 'user' ? role : 'system', message);
}

/** Out of the inbox, as it was read: one that was merged into meanwhile is a conflict, and is read again. */
function takeOut({ journal }: Draft, { inboxKey, coalesce, inboxVersion }: Interrupt): void {
  if (inboxKey === undefined) return;
  const row = { space: INBOX_SPACE, key: inboxKey };
  journal.delete(row);
  if (coalesce === undefined) return;
  journal.delete({ space: COALESCING_SPACE, key: coalesce });
  if (inboxVersion !== undefined) journal.expect({ ...row, version: inboxVersion });
}

function withSpeaker(head: Head, message: Message, most: number): Head {
  const { name } = message;
  if (name === undefined || head.speakers.includes(name) || head.speakers.length >= most) return head;
  return { ...head, speakers: [...head.speakers, name] };
}

/** A passage is a row of truth in recall; its vector follows through the outbox. */
export function insertPassages(draft: Draft, passages: readonly NewPassage[]): void {
  for (const passage of passages) {
    const document = passageDocument(draft.state.head, passage, draft.now);
    const value: Json = {
      text: passage.text,
      at: draft.now,
      seq: document.seq,
      ordinal: document.ordinal,
      ...(passage.source !== undefined && { source: passage.source }),
    };
    // A passage is there once: a second one under its id is a conflict, not a copy (C11).
    draft.journal.expect({ space: PASSAGE_SPACE, key: passage.id, version: 0 });
    draft.journal.put({ space: PASSAGE_SPACE, key: passage.id, value });
    draft.journal.index(document, draft.config.vectors);
    draft.state = { ...draft.state, head: withDocument(draft.state.head, document) };
  }
}

/**
 * Rung 1: a new part above its share of the budget is shown as a stub from the start. What the model wrote in its
 * own turn is not touched; a transcript's assistant messages are not this turn's.
 */
export function stubOversized(draft: Draft): boolean {
  const limit = shareOf(draft.budget, draft.config.limits.oversizedShare);
  const fresh = new Set(draft.journal.appends.map((entry) => entry.seq));
  if (fresh.size === 0) return false;
  for (const page of draft.state.pages.slice(-fresh.size)) {
    for (const message of page.messages) {
      if (!fresh.has(message.seq) || !isOversized(draft, message, limit)) continue;
      const stub = { level: 1, shown: shownCharacters(draft.config, draft.budget) } as const;
      draft.state = stubInQueue(draft.state, message.seq, stub);
      draft.bump({ stubs: 1 });
      draft.observe({ name: 'page-stubbed', page: page.id, before: message.tokens ?? 0 });
      return true;
    }
  }
  return false;
}

/** What memory put back was cut to its room when it was read; a stub of it could never be read to its end. */
function isOversized(draft: Draft, { message, tokens, stub }: ResidentMessage, limit: number): boolean {
  if (stub || (tokens ?? 0) <= limit) return false;
  if (message.parts.every((part) => part.type === 'result' && part.recalled)) return false;
  return message.role !== 'assistant' || draft.turn?.respond === false;
}

/** One warning at the crossing, in the commit that crosses; none when the queue is past the flush already. */
export function warnOfPressure(draft: Draft): boolean {
  const { head } = draft.state;
  const { warningShare, flushShare } = draft.config.limits;
  if (head.warned || !hasListener(draft) || openPage(draft.state)) return false;
  const pressure = pressureOf(draft.state);
  if (pressure < shareOf(draft.budget, warningShare) || pressure > shareOf(draft.budget, flushShare))
    return false;
  draft.state = { ...draft.state, head: { ...head, warned: true } };
  draft.bump({ warnings: 1 });
  draft.appendNotice((seq, at) => pressureWarning(seq, at, pressure, draft.budget.tokens));
  draft.observe({ name: 'pressure-warning', tokens: pressure, budget: draft.budget.tokens });
  return true;
}

/** A fed transcript has no model that could act on a warning. */
function hasListener(draft: Draft): boolean {
  return draft.turn?.respond === true || draft.ended?.outcome === 'answered';
}
