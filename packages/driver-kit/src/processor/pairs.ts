import type { CallPart, Message, ResultPart } from '@pagefault/contracts';
import { NO_OUTPUT } from '../pieces.js';
import { wellFormed } from './well-formed.js';

/** A call with its result; without one when it was interrupted or its result is gone. */
export interface Pair {
  readonly call: CallPart;
  readonly result: ResultPart | undefined;
}

/**
 * The calls of each assistant message with their results. A call's result is the first one with its id
 * that comes after it and before the next message that uses the id again, so that providers which reuse
 * ids in every turn pair right. Results that belong to no call are in no pair.
 */
export function pairCalls(messages: readonly Message[]): ReadonlyMap<Message, readonly Pair[]> {
  const open = new Map<string, { result: ResultPart | undefined; readonly owner: Message }[]>();
  const pairs = new Map<Message, (Pair & { result: ResultPart | undefined })[]>();
  for (const message of messages) {
    const calls = message.role === 'assistant' ? message.parts.filter((part) => part.type === 'call') : [];
    const own = calls.map((call) => ({ call, result: undefined as ResultPart | undefined, owner: message }));
    for (const { call } of own) open.set(call.callId, []);
    for (const pair of own) open.get(pair.call.callId)?.push(pair);
    if (own.length > 0) pairs.set(message, own);
    for (const part of message.parts) {
      const waiting = part.type === 'result' ? open.get(part.callId)?.shift() : undefined;
      if (waiting !== undefined) waiting.result = part as ResultPart;
    }
  }
  return pairs;
}

/** What a call without a result is answered with, so that the model may go on. */
export const NO_RESULT = '(no result: the call was interrupted)';

/** The text that answers a call on the wire: never empty. */
export function resultText(result: Pair['result']): string {
  if (result === undefined) return NO_RESULT;
  return result.text === '' ? NO_OUTPUT : wellFormed(result.text);
}
