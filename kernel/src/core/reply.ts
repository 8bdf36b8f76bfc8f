/** What a cycle came to: a reply, or a failure. */
import type { CallPart, Message, MessageId, Part, Reply } from '@pagefault/contracts';
import { billOf, inputOf, type NamedBill } from './bills.js';
import type { Draft } from './draft.js';
import type { Failure } from './outcome.js';
import { interruptedNotice, truncatedNotice } from './notices.js';
import { countedTokens } from './pressure.js';
import { hasAnswered, noteUsage, settledOutcome } from './turn.js';
import { answerCall, finishPage } from './calls.js';
import { isBlank, normaliseText } from './text.js';

export function takeReply(
  draft: Draft,
  messageId: MessageId,
  reply: Reply,
  lost: readonly NamedBill[] = [],
): void {
  noteLost(draft, lost);
  const { turn, config } = draft;
  if (!turn) return;
  const counted = countedTokens(draft.state);
  draft.state = { ...draft.state, turn: { ...noteUsage(turn, reply.usage, counted), heartbeat: false } };
  draft.bump({
    cycles: 1,
    input: inputOf(reply.usage) || counted,
    cached: reply.usage.cached,
    output: reply.usage.output,
  });
  const by = reply.route?.answeredBy ?? config.processor.name ?? config.processor.driver;
  draft.noteBill({ ...billOf(reply), by });
  const parts = storedParts(reply);
  if (parts.some((part) => part.type === 'call')) return openCalls(draft, messageId, reply, parts);
  endWithText(draft, messageId, reply, parts);
}

/** Requests that came to nothing, and were billed: the turn has used their tokens. */
export function noteLost(draft: Draft, lost: readonly NamedBill[] = []): void {
  if (lost.length === 0) return;
  draft.noteBilled({ bills: lost });
  const used = lost.reduce((sum, { usage }) => sum + inputOf(usage) + usage.output, 0);
  draft.setTurn({ tokens: (draft.turn?.tokens ?? 0) + used });
}

/** Nothing empty is ever stored (A09); broken calls are stored as their well-formed stand-ins (A23). */
function storedParts(reply: Reply): Part[] {
  const parts = reply.parts.map(storable).filter((part) => part.type !== 'text' || !isBlank(part.text));
  const known = new Set(parts.flatMap((part) => (part.type === 'call' ? [part.callId] : [])));
  const missing = (reply.brokenCalls ?? []).map(({ call }) => call).filter((call) => !known.has(call.callId));
  return [...parts, ...missing.map(storable)];
}

/** A model may write what no store keeps; signed reasoning stays as it is, for it is replayed byte for byte. */
function storable(part: Part): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: normaliseText(part.text) };
    case 'thinking':
      return part.opaque ? part : { ...part, text: normaliseText(part.text) };
    case 'call':
      return { ...part, name: normaliseText(part.name), arguments: normaliseText(part.arguments) };
    case 'image':
    case 'result':
      return part;
  }
}

function openCalls(draft: Draft, id: MessageId, reply: Reply, parts: readonly Part[]): void {
  draft.appendPage('assistant', assistant(draft, id, parts), false);
  if (draft.parts.dialect.speaksBesideCalls) answerWith(draft, textOf(parts));
  if (reply.reason === 'length') draft.setTurn({ truncations: (draft.turn?.truncations ?? 0) + 1 });
  for (const { call, problem } of reply.brokenCalls ?? []) rejectCall(draft, call, problem);
  finishPage(draft);
}

/** A call that was cut off never runs; the model is told what was wrong with it (A22). */
function rejectCall(draft: Draft, call: CallPart, problem: string): void {
  answerCall(draft, call, draft.nextKernelMessageId(), { text: problem, isError: true });
}

/** Without a call, plain text is the answer: weak models forget `send_message`. */
function endWithText(draft: Draft, id: MessageId, reply: Reply, parts: readonly Part[]): void {
  const text = textOf(parts);
  if (text === '') return endWithoutText(draft, reply);
  draft.appendPage('assistant', assistant(draft, id, parts));
  if (reply.reason === 'length') draft.appendNotice(truncatedNotice);
  answerWith(draft, text);
  const outcomes = { length: 'truncated', refused: 'refused', stop: 'answered', calls: 'answered' } as const;
  draft.endTurn(outcomes[reply.reason]);
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : [])).join('\n\n');
}

function answerWith(draft: Draft, text: string): void {
  if (text !== '') draft.setTurn({ answers: [...(draft.turn?.answers ?? []), text] });
}

/** An empty reply is asked for once more; thinking without an answer is not kept (A21). */
function endWithoutText(draft: Draft, reply: Reply): void {
  const { turn } = draft;
  if (!turn) return;
  if (reply.reason === 'refused') return draft.endTurn('refused');
  if (reply.reason === 'length') return draft.endTurn('truncated');
  if (hasAnswered(turn) || turn.emptyReplies > 0) return draft.endTurn(settledOutcome(turn));
  draft.setTurn({ emptyReplies: turn.emptyReplies + 1 });
}

function assistant(draft: Draft, id: MessageId, parts: readonly Part[]): Message {
  return { id, role: 'assistant', at: draft.now, parts };
}

/** An overflow raises the calibration and is tried once more; anything else ends the turn. */
export function takeFailure(draft: Draft, messageId: MessageId, failure: Failure, partial: string): void {
  if (!draft.turn) return;
  if (failure.code === 'E_CONTEXT_OVERFLOW' && !draft.turn.overflowed) return raiseCalibration(draft);
  const shown = normaliseText(partial);
  if (!isBlank(shown)) keepPartial(draft, messageId, shown);
  if (failure.code === 'E_ABORTED') return draft.endTurn('interrupted');
  if (failure.code === 'E_LEASE_LOST') return draft.endTurn('lease-lost', failure);
  if (failure.code === 'E_SPEND_CAP') return draft.endTurn('spend-cap', failure);
  if (failure.code === 'E_REFUSED') return draft.endTurn('refused', failure);
  draft.endTurn('failed', failure);
}

/** So that this very request is over the budget by a twentieth, and the ladder must shrink it. */
function raiseCalibration(draft: Draft): void {
  const counted = Math.max(1, countedTokens(draft.state));
  const calibration = Math.ceil((draft.budget.tokens * 1.05 * 1000) / counted);
  const head = { ...draft.state.head, calibration: Math.max(draft.state.head.calibration, calibration) };
  draft.state = { ...draft.state, head };
  draft.setTurn({ overflowed: true });
}

/** Text that was shown is kept, and marked as unfinished (C14, C20). */
function keepPartial(draft: Draft, id: MessageId, text: string): void {
  draft.appendPage('assistant', assistant(draft, id, [{ type: 'text', text }]));
  draft.appendNotice(interruptedNotice);
}
