import type { Fault } from '../fault.js';

/** What the double answers to one request. All of it optional: `{}` is an empty answer that ends with `stop`. */
export interface DoubleReply {
  /** Streamed in pieces: as given, or a word at a time. */
  readonly text?: string | readonly string[];
  /** `reasoning_content`, as compatible servers send it. */
  readonly thinking?: string;
  readonly calls?: readonly DoubleCall[];
  readonly refusal?: string;
  /** Default `tool_calls` when there are calls, else `stop`. `null` for a stream that never says. */
  readonly finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter' | null;
  /** Instead of what the double counts. `null`: reports none, as some compatible servers do. */
  readonly usage?: { readonly [key: string]: unknown } | null;
  /** Whole deltas after those of `text` and `calls`, for what no well-behaved server would send. */
  readonly deltas?: readonly object[];
  readonly fault?: Fault;
}

export interface DoubleCall {
  /** Default `call_<n>`; `null` leaves it out. */
  readonly id?: string | null;
  readonly name: string;
  /** Streamed in pieces: as given, or ten characters at a time. Default none at all. */
  readonly arguments?: string | readonly string[];
  /** Default its place; `null` leaves it out. */
  readonly index?: number | null;
  /** True sends name and arguments in one delta. */
  readonly whole?: boolean;
}

/** The deltas of a reply, in the shape and order in which the service streams them. */
export function deltasOf(reply: DoubleReply): object[] {
  return [
    { role: 'assistant', content: '', refusal: null },
    ...pieces(reply.thinking, /\S+\s*|\s+/g).map((reasoning_content) => ({ reasoning_content })),
    ...pieces(reply.text, /\S+\s*|\s+/g).map((content) => ({ content })),
    ...pieces(reply.refusal, /\S+\s*|\s+/g).map((refusal) => ({ refusal })),
    ...(reply.calls ?? []).flatMap(callDeltas),
    ...(reply.deltas ?? []),
  ];
}

function callDeltas(call: DoubleCall, place: number): object[] {
  const index = call.index === null ? {} : { index: call.index ?? place };
  const id = call.id === null ? {} : { id: call.id ?? `call_${place}` };
  const written = pieces(call.arguments, /[^]{1,10}/g);
  const first = call.whole === true ? written.join('') : '';
  const head = { ...index, ...id, type: 'function', function: { name: call.name, arguments: first } };
  const rest = call.whole === true ? [] : written;
  return [
    { tool_calls: [head] },
    ...rest.map((piece) => ({ tool_calls: [{ ...index, function: { arguments: piece } }] })),
  ];
}

export function pieces(text: string | readonly string[] | undefined, cut: RegExp): readonly string[] {
  if (typeof text !== 'string') return text ?? [];
  return text.match(cut) ?? [];
}

/** The message of a reply that is not streamed. */
export function messageOf(reply: DoubleReply): object {
  const calls = (reply.calls ?? []).map((call, place) => ({
    id: call.id ?? `call_${place}`,
    type: 'function',
    function: { name: call.name, arguments: joined(call.arguments) },
  }));
  return {
    role: 'assistant',
    content: joined(reply.text) || null,
    refusal: reply.refusal ?? null,
    annotations: [],
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

export function joined(text: string | readonly string[] | undefined): string {
  return typeof text === 'string' ? text : (text ?? []).join('');
}

export function finishOf(reply: DoubleReply): string | null {
  if (reply.finish !== undefined) return reply.finish;
  return (reply.calls ?? []).length > 0 ? 'tool_calls' : 'stop';
}

/** All that the model wrote, for counting. */
export function writtenBy(reply: DoubleReply): string {
  const calls = (reply.calls ?? []).map((call) => call.name + joined(call.arguments));
  return [reply.thinking ?? '', joined(reply.text), reply.refusal ?? '', ...calls].join('');
}
