import type { CallPart, InferRequest, Message, ResultPart } from '@pagefault/contracts';
import { cut, oneLine } from './text.js';

/** What happened since the last turn ended: all that reflex knows, as it keeps no state of its own. */
export interface Turn {
  readonly request: InferRequest;
  /** The last user message, or undefined when something else woke the process. */
  readonly task: string | undefined;
  /** The last message of the kernel or of a device, when there is no task. */
  readonly event: string | undefined;
  /** The calls that have a result, in order. */
  readonly exchanges: readonly Exchange[];
  /** What reflex noted for itself in its replies, in order. */
  readonly thoughts: readonly string[];
  /** Replies so far. */
  readonly cycles: number;
}

export interface Exchange {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ResultPart;
}

/** What a kernel sends around its queue, with fixed ids: no events. */
const FRAME_IDS: ReadonlySet<string> = new Set(['blocks', 'summary', 'tail']);

export function openTurn(request: InferRequest): Turn {
  const open = request.messages.slice(startOfTurn(request.messages));
  const replies = open.filter((message) => message.role === 'assistant');
  const ours = new Set(replies.flatMap((message) => message.parts.filter(isCall).map((call) => call.callId)));
  return {
    request,
    task: lastText(open.filter(isTask).map(withoutNotices)),
    event: lastText(open.filter(isEvent)),
    exchanges: exchangesOf(request.messages).filter((exchange) => ours.has(exchange.result.callId)),
    thoughts: replies.flatMap(thoughtsOf),
    cycles: replies.length,
  };
}

function isTask(message: Message): boolean {
  return message.role === 'user' && message.notice === undefined;
}

/** The layout `user-last` says the kernel's words in the user's message, each in brackets and a part of its own. */
function withoutNotices(message: Message): Message {
  const isNotice = (text: string) => text.startsWith('[') && text.endsWith(']\n');
  return { ...message, parts: message.parts.filter((part) => part.type !== 'text' || !isNotice(part.text)) };
}

function isEvent(message: Message): boolean {
  return message.role === 'system' && message.notice === undefined && !FRAME_IDS.has(message.id);
}

/**
 * At the last user message, unless it has been answered. What was called before it belongs to a turn that
 * was stopped or steered elsewhere: its failures say nothing about this one.
 */
function startOfTurn(messages: readonly Message[]): number {
  const end = endOfLastTurn(messages);
  const task = messages.findLastIndex(isTask);
  return task > end ? task : end + 1;
}

/** Every call of the request that has a result, in order. */
export function exchangesOf(messages: readonly Message[]): readonly Exchange[] {
  const results = resultsOf(messages);
  return messages
    .flatMap((message) => message.parts.filter(isCall))
    .flatMap((call) => {
      const result = results.get(call.callId);
      return result === undefined ? [] : [{ name: call.name, input: inputOf(call), result }];
    });
}

/** The place of the last assistant message that ended a turn, or -1. */
function endOfLastTurn(messages: readonly Message[]): number {
  const results = resultsOf(messages);
  return messages.findLastIndex((message) => {
    if (message.role !== 'assistant') return false;
    const calls = message.parts.filter(isCall);
    if (calls.length === 0) return message.parts.some((part) => part.type === 'text');
    const goesOn = (call: CallPart) =>
      inputOf(call).request_heartbeat === true || results.get(call.callId)?.isError === true;
    return calls.some((call) => call.name === 'send_message') && !calls.some(goesOn);
  });
}

function resultsOf(messages: readonly Message[]): ReadonlyMap<string, ResultPart> {
  const results = messages.flatMap((message) => message.parts.filter((part) => part.type === 'result'));
  return new Map(results.map((result) => [result.callId, result]));
}

export function isCall(part: Message['parts'][number]): part is CallPart {
  return part.type === 'call';
}

function inputOf(call: CallPart): Readonly<Record<string, unknown>> {
  const value = parseJson(call.arguments);
  return isRecord(value) ? value : {};
}

function thoughtsOf(message: Message): readonly string[] {
  return message.parts.flatMap((part) =>
    part.type === 'thinking' || part.type === 'text' ? [part.text] : [],
  );
}

function lastText(messages: readonly Message[]): string | undefined {
  const last = messages.at(-1);
  return last && textOf(last);
}

export function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The value of a JSON text, or undefined: what a model or a store wrote may be anything. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Code points of an error's text that fit into a sentence. */
const COMPLAINT_LIMIT = 160;

/** The first line of an error's text, as part of a sentence. */
export function complaint(exchange: Exchange): string {
  const [first = ''] = exchange.result.text.trim().split('\n', 1);
  return cut(oneLine(first), COMPLAINT_LIMIT).replace(/[.\s]+$/, '');
}
