/** Results of function calls, and what they change. Effect and result are one commit. */
import type { CallPart, Message, MessageId, ResultPart } from '@pagefault/contracts';
import { insertPassages } from './admit.js';
import { type BlockEdit, MODEL } from './block-edit.js';
import type { Draft } from './draft.js';
import { toldToModel } from './edit-texts.js';
import type { CallOutcome, PinChange } from './events.js';
import { NO_OUTPUT, STOPPED_CALL, UNKNOWN_OUTCOME } from './notices.js';
import { applyPin, withPins } from './pins.js';
import { findCall, pendingCalls } from './queue.js';
import { changeTimers } from './timers.js';
import { earlierCall, goesOn, rememberCall, settledOutcome } from './turn.js';
import { isBlank, normaliseText } from './text.js';
import { changeBlocks, refreshAfterCall } from './working-context.js';

export function takeOutcome(draft: Draft, callId: string, messageId: MessageId, outcome: CallOutcome): void {
  const call = findCall(draft.state, callId);
  // A second result for a call is not stored (C10).
  if (!call || !pendingCalls(draft.state).includes(call)) return;
  answerCall(draft, call, messageId, outcome);
  finishPage(draft);
}

export function answerCall(draft: Draft, call: CallPart, messageId: MessageId, outcome: CallOutcome): void {
  const result = effectOf(draft, outcome);
  noteNeeds(draft, call, outcome);
  if (!result.isError) {
    insertPassages(draft, outcome.passages ?? []);
    changeTimers(draft, outcome.timers ?? {});
  }
  if (outcome.views) refreshAfterCall(draft, outcome.views, outcome.isError === true);
  draft.appendResult(resultMessage(draft, call, messageId, result));
  noteResult(draft, call, result);
}

/** What a call wants changed is changed here; what the core refuses becomes the result that the model reads. */
function effectOf(draft: Draft, outcome: CallOutcome): CallOutcome {
  if (outcome.edit) return editBlock(draft, outcome.edit);
  return outcome.pin ? changePins(draft, outcome.pin) : outcome;
}

function editBlock(draft: Draft, edit: BlockEdit): CallOutcome {
  const result = changeBlocks(draft, [edit], MODEL);
  return { text: toldToModel(result), ...(!result.ok && { isError: true }) };
}

/** Also for users: what is refused changes nothing. */
export function changePins(draft: Draft, change: PinChange): CallOutcome {
  const result = applyPin(draft.state, draft.config, draft.budget, change);
  if (!result.ok) return { text: result.text, isError: true };
  draft.state = withPins(draft.state, result.pins);
  draft.observe({ name: change.kind === 'pin' ? 'page-pinned' : 'page-unpinned', page: result.page });
  return { text: result.text };
}

function noteNeeds(draft: Draft, call: CallPart, outcome: CallOutcome): void {
  const earlier = draft.turn && earlierCall(draft.turn, call);
  if (earlier) draft.need(earlier.page, 'repeated-call');
  for (const { page, why } of outcome.needs ?? []) draft.need(page, why);
}

function resultMessage(draft: Draft, call: CallPart, id: MessageId, outcome: CallOutcome): Message {
  const part: ResultPart = {
    type: 'result',
    callId: call.callId,
    name: call.name,
    text: isBlank(outcome.text) ? NO_OUTPUT : normaliseText(outcome.text),
    ...(outcome.isError && { isError: true }),
    ...(outcome.recalled && { recalled: outcome.recalled }),
  };
  return { id, role: 'tool', at: draft.now, parts: [part] };
}

function noteResult(draft: Draft, call: CallPart, outcome: CallOutcome): void {
  const { turn } = draft;
  if (!turn) return;
  const next = rememberCall(turn, call, outcome.text, draft.state.head.lastPage);
  const answers = outcome.answer === undefined ? turn.answers : [...turn.answers, outcome.answer];
  const heartbeat = turn.heartbeat || outcome.isError === true || draft.parts.dialect.wantsCycle(call);
  draft.state = { ...draft.state, turn: { ...next, answers, heartbeat } };
}

/** When all results are in: the page is sealed, and the turn goes on or ends. */
export function finishPage(draft: Draft): void {
  if (pendingCalls(draft.state).length > 0) return;
  draft.seal();
  if (draft.turn && !goesOn(draft.turn)) draft.endTurn(settledOutcome(draft.turn));
}

/**
 * The caller stopped the turn: calls that wait get a result, so that the history stays whole. What waits for its summary
 * stays in the queue.
 */
export function cancelTurn(draft: Draft): void {
  draft.leaving = undefined;
  fillResults(draft, () => STOPPED_CALL);
  draft.endTurn('interrupted');
}

/** After a crash, calls that must not run twice have an unknown outcome; the others simply run (C08). */
export function settleInterrupted(draft: Draft, callIds: readonly string[]): void {
  fillResults(draft, (call) => (callIds.includes(call.callId) ? UNKNOWN_OUTCOME : undefined));
}

function fillResults(draft: Draft, textFor: (call: CallPart) => string | undefined): void {
  const pending = pendingCalls(draft.state);
  for (const call of pending) {
    const text = textFor(call);
    if (text !== undefined) answerCall(draft, call, draft.nextKernelMessageId(), { text, isError: true });
  }
  if (pending.length > 0 && pendingCalls(draft.state).length === 0) draft.seal();
}
