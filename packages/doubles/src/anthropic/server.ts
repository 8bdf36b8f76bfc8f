import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Fault } from '../fault.js';
import {
  type Exchange,
  json,
  listen,
  type Listening,
  readBody,
  type RecordedRequest,
  type Refusal,
} from '../http.js';
import { gone, sendEvents } from '../stream-out.js';
import {
  answeredBlocks,
  errorBody,
  messageOf,
  outputTokens,
  overflowBody,
  usageOf,
  withoutStream,
} from './answer.js';
import { createPromptCache, type PromptCache } from './cache.js';
import { streamedAnswer } from './events.js';
import { inputTokens } from './prompt.js';
import type { MessagesReply } from './reply.js';
import { DEFAULT_RULES, type ModelRules } from './rules.js';
import type { CountRequest, MessagesRequest } from './types.js';
import { validateCountRequest, validateMessagesRequest } from './validate.js';

export interface AnthropicDoubleOptions {
  /** Answers in order; a request after the last one is refused. */
  readonly script?: readonly MessagesReply[];
  /** Instead of a script. `n` counts accepted requests from 0. */
  readonly reply?: (request: MessagesRequest, n: number) => MessagesReply | Promise<MessagesReply>;
  /** What the model can do. Default: Claude Sonnet 4.5's limits. */
  readonly rules?: Partial<ModelRules>;
  /** Default: any free port. */
  readonly port?: number;
  /** When set, other keys are answered with 401. */
  readonly apiKey?: string;
  /** Where `/v1` lives. Default at the root. */
  readonly basePath?: string;
  readonly models?: readonly string[];
  /** Milliseconds, for the life of what is cached. Default: the machine's clock. */
  readonly now?: () => number;
  /** What goes wrong with the n-th request to count tokens. */
  readonly countFault?: (n: number) => Fault | undefined;
}

export interface AnthropicDouble extends Listening {
  /** With the base path, without `/v1`: what a client is configured with. */
  readonly baseURL: string;
  readonly requests: readonly RecordedRequest[];
}

/** A local server that speaks Anthropic's Messages, refuses what the real one refuses, and fails on request. */
export async function startAnthropicDouble(options: AnthropicDoubleOptions = {}): Promise<AnthropicDouble> {
  const requests: RecordedRequest[] = [];
  const server = await listen(
    (closing) => createExchange(options, requests, closing),
    (response, error) =>
      json(response, 400, errorBody(`The request body is not valid JSON: ${String(error)}`)),
    options.port,
  );
  return { ...server, baseURL: server.origin + (options.basePath ?? ''), requests };
}

function createExchange(
  options: AnthropicDoubleOptions,
  log: RecordedRequest[],
  closing: AbortSignal,
): Exchange {
  const rules = { ...DEFAULT_RULES, ...options.rules };
  const cache = createPromptCache(rules.cacheMinimum, options.now ?? Date.now);
  let accepted = 0;
  let counted = 0;
  return async (incoming, response) => {
    const body = await readBody(incoming);
    const base = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body };
    const place = placeOf(base.path, options.basePath ?? '');
    const refusal = refuse(base, place, options, rules);
    log.push({ ...base, problems: refusal?.problems ?? [] });
    if (refusal !== undefined) return json(response, refusal.status, refusal.body);
    if (place === 'models') return json(response, 200, modelList(options));
    if (place === 'count') {
      counted += 1;
      return count(response, body as CountRequest, options.countFault?.(counted - 1));
    }
    const request = body as MessagesRequest;
    const n = accepted;
    accepted += 1;
    const reply = (await options.reply?.(request, n)) ?? options.script?.[n];
    if (reply === undefined)
      return json(response, 400, errorBody(`the double's script has no reply number ${n}`));
    return answer(response, reply, request, n, () => cache.take(request, keyOf(incoming.headers)), closing);
  };
}

type Place = 'messages' | 'count' | 'models' | 'nowhere';

function placeOf(path: string, base: string): Place {
  const places: Record<string, Place> = {
    [`${base}/v1/messages`]: 'messages',
    [`${base}/v1/messages/count_tokens`]: 'count',
    [`${base}/v1/models`]: 'models',
  };
  return places[path.replace(/\?.*$/, '')] ?? 'nowhere';
}

async function answer(
  response: ServerResponse,
  reply: MessagesReply,
  request: MessagesRequest,
  n: number,
  cached: () => ReturnType<PromptCache['take']>,
  closing: AbortSignal,
): Promise<void> {
  const { fault } = reply;
  if (fault?.kind === 'no-answer') return gone(response);
  if (fault?.kind === 'status') return sendStatus(response, fault);
  if (request.stream === true)
    return sendEvents(response, streamedAnswer(reply, request, n, cached()), fault, closing);
  const content = answeredBlocks(reply, request, n).map(withoutStream);
  const usage = usageOf(reply, request, cached());
  const counted = usage && { ...usage, output_tokens: outputTokens(reply) };
  return json(response, 200, messageOf(reply, request, n, content, counted));
}

async function count(
  response: ServerResponse,
  request: CountRequest,
  fault: Fault | undefined,
): Promise<void> {
  if (fault?.kind === 'no-answer') return gone(response);
  if (fault?.kind === 'status') return sendStatus(response, fault);
  json(response, 200, { input_tokens: inputTokens(request) });
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function typeOf(status: number): string {
  return ERROR_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

function sendStatus(response: ServerResponse, fault: Fault & { kind: 'status' }): void {
  const body = fault.body ?? errorBody(`status ${fault.status}`, typeOf(fault.status));
  json(response, fault.status, body, fault.headers);
}

function refuse(
  request: Omit<RecordedRequest, 'problems'>,
  place: Place,
  options: AnthropicDoubleOptions,
  rules: ModelRules,
): Refusal | undefined {
  if (options.apiKey !== undefined && keyOf(request.headers) !== options.apiKey)
    return refusal(401, 'invalid x-api-key');
  if (place === 'models') return undefined;
  if (place === 'nowhere') return refusal(404, `Not found: ${request.method} ${request.path}`);
  if (request.headers['anthropic-version'] === undefined)
    return refusal(400, 'anthropic-version: header is required');
  const problems =
    place === 'count'
      ? validateCountRequest(request.body, rules)
      : validateMessagesRequest(request.body, rules);
  if (problems.length > 0) return { ...refusal(400, problems.join('; ')), problems };
  const overflow = place === 'messages' && overflowBody(request.body as MessagesRequest, rules.window);
  return overflow ? { status: 400, body: overflow, problems: ['context overflow'] } : undefined;
}

function refusal(status: number, message: string): Refusal {
  return { status, body: errorBody(message, typeOf(status)), problems: [message] };
}

/** In either of the headers that the service reads. */
function keyOf(headers: IncomingHttpHeaders): string {
  return String(headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '');
}

function modelList(options: AnthropicDoubleOptions): object {
  const data = (options.models ?? ['claude-sonnet-4-5']).map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '1970-01-01T00:00:00Z',
  }));
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
