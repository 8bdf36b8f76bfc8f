/** Rules of the turn that look only at the state: when it goes on, and when a cap or a breaker ends it. */
import type { CallPart, Instant, Usage } from '@pagefault/contracts';
import type { Limits } from '../limits.js';
import type { Interrupt } from './events.js';
import type { Failure, Outcome } from './outcome.js';
import { spendCap, tokenCap } from './spend.js';
import type { Head, PastCall, ProcessState, Turn } from './state.js';
import { fingerprint } from './text.js';

export function startTurn(id: string, interrupt: Interrupt, firstSeq: number, at: Instant): Turn {
  return {
    id,
    interruptId: interrupt.id,
    startedAt: at,
    respond: interrupt.respond,
    firstSeq,
    cycle: 0,
    tokens: 0,
    answers: [],
    heartbeat: false,
    calls: [],
    truncations: 0,
    emptyReplies: 0,
    reclaims: 0,
    overflowed: false,
    reportedRatio: 0,
    ...(interrupt.kind !== 'user' && { answersDue: 0 }),
  };
}

/** Another interrupt for the turn: a user's wants an answer of its own. */
export function steerTurn(turn: Turn, { id, kind }: Interrupt): Turn {
  return {
    ...turn,
    steered: [...(turn.steered ?? []), id],
    ...(kind === 'user' && { answersDue: turn.answers.length + 1 }),
  };
}

/** Whether the user has had what the turn owes. */
export function hasAnswered({ answers, answersDue = 1 }: Turn): boolean {
  return answers.length >= answersDue;
}

/** How a turn ends that stops by itself. */
export function settledOutcome({ answers }: Turn): Outcome {
  return answers.length > 0 ? 'answered' : 'yielded';
}

/** The cap on what a turn uses that is reached, if one is: with the amount and the limit. */
export function spentCap(
  { turn, head }: { readonly turn: Turn; readonly head: Head },
  limits: Limits,
): Failure | undefined {
  return tokenCap(turn, limits.maxTurnTokens) ?? spendCap({ turn, head }, limits);
}

/** The cap that is reached, if one is. Looked at before each cycle but the first. */
export function capReached(
  turn: Turn,
  { head }: Pick<ProcessState, 'head'>,
  limits: Limits,
  now: Instant,
): Outcome | undefined {
  if (turn.cycle >= limits.maxCycles) return 'cycle-cap';
  if (spentCap({ turn, head }, limits)) return 'spend-cap';
  if (now - turn.startedAt >= limits.maxTurnMs) return 'time-cap';
  if (turn.truncations > limits.truncationLimit) return 'truncated';
  if (turn.reclaims > limits.thrashLimit) return 'thrashing';
  if (turn.calls.some((call) => call.times >= limits.repeatLimit)) return 'repeating';
  return undefined;
}

/**
 * Whether another cycle follows the calls of a page: one asked for it or failed, or the user has had no
 * answer (C25: models forget the heartbeat).
 */
export function goesOn(turn: Turn): boolean {
  return turn.heartbeat || !hasAnswered(turn);
}

/** The earlier call of this turn with the same name and arguments. */
export function earlierCall(turn: Turn, call: CallPart): PastCall | undefined {
  const key = callKey(call);
  return turn.calls.find((past) => past.call === key);
}

/** Notes a call. `times` counts how often in this turn it gave the same result. */
export function rememberCall(turn: Turn, call: CallPart, result: string, page: number): Turn {
  const key = callKey(call);
  const print = fingerprint(result);
  const earlier = turn.calls.find((past) => past.call === key && past.result === print);
  const entry: PastCall = { call: key, result: print, page, times: (earlier?.times ?? 0) + 1 };
  return { ...turn, calls: [...turn.calls.filter((past) => past.call !== key), entry] };
}

function callKey(call: CallPart): string {
  return `${call.name} ${fingerprint(call.arguments)}`;
}

/** Zero usage means unknown. `counted` is the request as counted, before calibration. */
export function noteUsage(turn: Turn, usage: Usage, counted: number): Turn {
  const input = usage.plain + usage.cached + usage.written;
  const ratio = input > 0 && counted > 0 ? Math.ceil((input * 1000) / counted) : 0;
  const tokens = turn.tokens + (input > 0 ? input : counted) + usage.output;
  return { ...turn, tokens, reportedRatio: Math.max(turn.reportedRatio, ratio) };
}

/**
 * Calibration moves only between turns: up at once to what was reported, down by a twentieth at most, never
 * under the count itself. Unknown usage changes nothing.
 */
export function calibrate(head: Head, turn: Turn, limits: Limits): Head {
  if (turn.reportedRatio === 0) return head;
  const lowest = Math.max(1000, Math.floor(head.calibration * 0.95));
  const highest = Math.round(limits.maxCalibration * 1000);
  const calibration = Math.min(highest, Math.max(lowest, turn.reportedRatio));
  return calibration === head.calibration ? head : { ...head, calibration };
}
