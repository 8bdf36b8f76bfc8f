/** What comes in: interrupts and passages, and what happens to them at the door. */
import type { Json, Message } from '@pagefault/contracts';
import { shareOf } from './budget.js';
import { passageDocument, withDocument } from './documents.js';
import type { Draft } from './draft.js';
import type { Interrupt, NewPassage } from './events.js';
import { DELIVERY_SPACE, INBOX_SPACE, PASSAGE_SPACE } from './journal.js';
import { pressureWarning } from './notices.js';
import { pressureOf } from './pressure.js';
import { stubInQueue } from './queue.js';
import { shownCharacters } from './reclaim.js';
import { tellEdits } from './rendered-blocks.js';
import { openPage, type Head, type ResidentMessage } from './state.js';
import { startTurn } from './turn.js';

/** Begins a turn: the interrupt's message is appended and marked consumed, in one commit. */
export function takeInterrupt(draft: Draft, turnId: string, interrupt: Interrupt): void {
  const { message, inboxKey } = interrupt;
  tellEdits(draft);
  draft.held = interrupt.hold === true && !interrupt.respond;
  draft.reclaimed = false; // What the turn before needed is not held against this one.
  draft.state = {
    ...draft.state,
    turn: startTurn(turnId, interrupt, draft.state.head.lastSeq + 1, draft.now),
  };
  draft.state = {
    ...draft.state,
    head: withSpeaker(draft.state.head, message, draft.config.limits.speakers),
  };
  if (inboxKey !== undefined) draft.journal.delete({ space: INBOX_SPACE, key: inboxKey });
  if (interrupt.respond) {
    draft.journal.put({ space: DELIVERY_SPACE, key: interrupt.id, value: { state: 'running', turnId } });
  }
  draft.observe({ name: 'turn-started', turnId, interruptId: interrupt.id });
  draft.appendPage(
    message.role === 'assistant' ? 'assistant' : message.role === 'user' ? 'user' : 'system',
    message,
  );
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
