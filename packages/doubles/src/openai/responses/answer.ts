/** A double's reply as the Responses API gives it: items, and the events that stream them. */
import type { DoubleReply } from '../reply.js';
import { textTokens } from '../prompt.js';
import { joined, pieces, writtenBy } from '../reply.js';
import { seal } from './sealed.js';
import type { ResponsesRequest } from './types.js';

type Item = { readonly [key: string]: unknown };
type Event = { readonly type: string; readonly [key: string]: unknown };

export interface ResponseSize {
  readonly prompt: number;
  readonly cached: number;
}

/** The events in the order of the service, each with its number. */
export function responseEvents(
  reply: DoubleReply,
  request: ResponsesRequest,
  n: number,
  size: ResponseSize,
): Event[] {
  const output = outputOf(reply, request, n);
  const { usage: _, ...started } = responseBody(reply, request, n, size);
  const empty = { ...started, status: 'in_progress', output: [] };
  const end = reply.finish === null ? [] : [ending(reply, request, n, size)];
  const events = [
    { type: 'response.created', response: empty },
    { type: 'response.in_progress', response: empty },
    ...output.flatMap((item, place) => itemEvents(item, place, reply)),
    ...end,
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function ending(reply: DoubleReply, request: ResponsesRequest, n: number, size: ResponseSize): Event {
  const response = responseBody(reply, request, n, size);
  return { type: `response.${String(response['status'])}`, response };
}

const REASONS: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

export function responseBody(
  reply: DoubleReply,
  request: ResponsesRequest,
  n: number,
  { prompt, cached }: ResponseSize,
): Item {
  const reason = REASONS[reply.finish ?? ''];
  const output_tokens = textTokens(writtenBy(reply));
  const counted = {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: textTokens(reply.thinking ?? '') },
    total_tokens: prompt + output_tokens,
  };
  const usage = reply.usage === undefined ? counted : reply.usage;
  return {
    id: `resp_${n}`,
    object: 'response',
    created_at: n,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    model: request.model,
    output: outputOf(reply, request, n),
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    temperature: 1,
    tool_choice: 'auto',
    tools: request.tools ?? [],
    top_p: 1,
    metadata: {},
    usage,
  };
}

function outputOf(reply: DoubleReply, request: ResponsesRequest, n: number): Item[] {
  const text = joined(reply.text);
  const content = [
    ...(text === '' ? [] : [{ type: 'output_text', text, annotations: [], logprobs: [] }]),
    ...(reply.refusal === undefined ? [] : [{ type: 'refusal', refusal: reply.refusal }]),
  ];
  const message = { type: 'message', id: `msg_${n}`, status: 'completed', role: 'assistant', content };
  return [
    ...(reply.thinking === undefined ? [] : [reasoningOf(reply.thinking, request, n)]),
    ...(content.length === 0 ? [] : [message]),
    ...(reply.calls ?? []).map((call, place) => ({
      type: 'function_call',
      id: `fc_${n}_${place}`,
      status: 'completed',
      call_id: call.id ?? `call_${place}`,
      name: call.name,
      arguments: joined(call.arguments),
    })),
  ];
}

/** The text that the reply gives is what the model thought; its summary is all that anybody sees of it. */
function reasoningOf(thinking: string, { model, include }: ResponsesRequest, n: number): Item {
  const isAsked = include?.includes('reasoning.encrypted_content') === true;
  return {
    type: 'reasoning',
    id: `rs_${n}`,
    summary: [{ type: 'summary_text', text: thinking }],
    ...(isAsked ? { encrypted_content: seal(model, thinking) } : {}),
  };
}

function itemEvents(item: Item, output_index: number, reply: DoubleReply): Event[] {
  const at = { output_index, item_id: item['id'] };
  return [
    { type: 'response.output_item.added', output_index, item: begun(item) },
    ...deltasOf(item, reply, at),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function begun(item: Item): Item {
  if (item['type'] === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item['type'] === 'reasoning') return { type: 'reasoning', id: item['id'], summary: [] };
  return { ...item, status: 'in_progress', arguments: '' };
}

function deltasOf(item: Item, reply: DoubleReply, at: object): Event[] {
  if (item['type'] === 'function_call') return callDeltas(item, reply, at);
  if (item['type'] === 'reasoning') return summaryDeltas(reply.thinking ?? '', at);
  const content = item['content'] as readonly Item[];
  return content.flatMap((part, content_index) => {
    const where = { ...at, content_index };
    const isText = part['type'] === 'output_text';
    const name = isText ? 'output_text' : 'refusal';
    const said = isText ? pieces(reply.text, /\S+\s*|\s+/g) : pieces(reply.refusal, /\S+\s*|\s+/g);
    const extra = isText ? { logprobs: [] } : {};
    return [
      { type: 'response.content_part.added', ...where, part: { ...part, [isText ? 'text' : 'refusal']: '' } },
      ...said.map((delta) => ({ type: `response.${name}.delta`, ...where, delta, ...extra })),
      { type: `response.${name}.done`, ...where, [isText ? 'text' : 'refusal']: said.join(''), ...extra },
      { type: 'response.content_part.done', ...where, part },
    ];
  });
}

function summaryDeltas(text: string, at: object): Event[] {
  const where = { ...at, summary_index: 0 };
  const part = (value: string) => ({ type: 'summary_text', text: value });
  return [
    { type: 'response.reasoning_summary_part.added', ...where, part: part('') },
    ...pieces(text, /\S+\s*|\s+/g).map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      ...where,
      delta,
    })),
    { type: 'response.reasoning_summary_text.done', ...where, text },
    { type: 'response.reasoning_summary_part.done', ...where, part: part(text) },
  ];
}

/** A call that is `whole` has no deltas, as some servers stream it. */
function callDeltas(item: Item, reply: DoubleReply, at: object): Event[] {
  const call = (reply.calls ?? [])[Number(String(item['id']).split('_')[2])];
  const written = call?.whole === true ? [] : pieces(call?.arguments, /[^]{1,10}/g);
  return [
    ...written.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    {
      type: 'response.function_call_arguments.done',
      ...at,
      name: item['name'],
      arguments: item['arguments'],
    },
  ];
}
