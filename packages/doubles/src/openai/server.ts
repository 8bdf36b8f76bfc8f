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
import { errorBody, overflowBody } from './answer.js';
import type { ModelApi } from './api.js';
import { CHAT_API } from './chat-api.js';
import {
  embeddingData,
  embeddingsBody,
  type EmbeddingsOptions,
  type EmbeddingsRequest,
  refuseEmbeddings,
  textsOf,
} from './embeddings.js';
import type { DoubleReply } from './reply.js';
import type { ChatRequest } from './types.js';
import { RESPONSES_API, validateResponsesCount } from './responses/api.js';
import { tokensOfResponses } from './responses/prompt.js';
import type { ResponsesRequest } from './responses/types.js';
import { type CacheOptions, createPrefixCache, type PrefixCache } from './usage.js';

export interface OpenAIDoubleOptions {
  /** Answers in order; a request after the last one is refused. */
  readonly script?: readonly DoubleReply[];
  /** Instead of a script. `n` counts accepted requests from 0. */
  readonly reply?: (request: ChatRequest, n: number) => DoubleReply | Promise<DoubleReply>;
  /** The same for requests of the Responses API. */
  readonly respond?: (request: ResponsesRequest, n: number) => DoubleReply | Promise<DoubleReply>;
  /** Default: any free port. */
  readonly port?: number;
  /** Tokens of input and output. Default 128,000. */
  readonly window?: number;
  /** When set, other keys are answered with 401. */
  readonly apiKey?: string;
  /** Where the API lives. Default `/v1`. */
  readonly basePath?: string;
  readonly models?: readonly string[];
  /** How prompts are cached, one cache an API key. */
  readonly cache?: CacheOptions;
  readonly embeddings?: EmbeddingsOptions;
  /** Whether it counts tokens for Responses. Default true; most compatible servers do not. */
  readonly counts?: boolean;
}

export interface OpenAIDouble extends Listening {
  /** With the base path: what a client is configured with. */
  readonly baseURL: string;
  readonly requests: readonly RecordedRequest[];
}

/** A local server that speaks OpenAI's Chat Completions, Responses and embeddings, refuses what the real one refuses, and fails on request. */
export async function startOpenAIDouble(options: OpenAIDoubleOptions = {}): Promise<OpenAIDouble> {
  const requests: RecordedRequest[] = [];
  const server = await listen(
    (closing) => createExchange(options, requests, closing),
    (response, error) =>
      json(response, 400, errorBody(`We could not parse the JSON body of your request: ${String(error)}`)),
    options.port,
  );
  return { ...server, baseURL: server.origin + (options.basePath ?? '/v1'), requests };
}

function createExchange(
  options: OpenAIDoubleOptions,
  log: RecordedRequest[],
  closing: AbortSignal,
): Exchange {
  const cache = createPrefixCache(options.cache);
  let accepted = 0;
  let embedded = 0;
  return async (incoming, response) => {
    const body = await readBody(incoming);
    const base = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body };
    const refusal = refuse(base, options);
    log.push({ ...base, problems: refusal?.problems ?? [] });
    if (refusal !== undefined) return json(response, refusal.status, refusal.body);
    if (isModels(base.path, options)) return json(response, 200, modelList(options));
    if (isEmbeddings(base.path, options)) {
      embedded += 1;
      return embed(response, body as EmbeddingsRequest, embedded - 1, options.embeddings);
    }
    if (isCount(base.path, options)) return json(response, 200, countOf(body as ResponsesRequest));
    const n = accepted;
    accepted += 1;
    const api = apiOf(base.path, options) ?? CHAT_API;
    const reply = (await replyTo(api, body, n, options)) ?? options.script?.[n];
    if (reply === undefined)
      return json(response, 400, errorBody(`the double's script has no reply number ${n}`));
    const run = { api, reply, body, n, apiKey: incoming.headers.authorization ?? '' };
    return answer(response, run, cache, closing);
  };
}

function replyTo(api: ModelApi, body: unknown, n: number, { reply, respond }: OpenAIDoubleOptions) {
  return api === RESPONSES_API ? respond?.(body as ResponsesRequest, n) : reply?.(body as ChatRequest, n);
}

interface Run {
  readonly api: ModelApi;
  readonly reply: DoubleReply;
  readonly body: unknown;
  readonly n: number;
  readonly apiKey: string;
}

async function answer(
  response: ServerResponse,
  { api, reply, body, n, apiKey }: Run,
  cache: PrefixCache,
  closing: AbortSignal,
): Promise<void> {
  const { fault } = reply;
  if (fault?.kind === 'no-answer') return gone(response);
  if (fault?.kind === 'status') return sendStatus(response, fault);
  const request = api.read(body);
  const facts = { n, prompt: request.tokens.length, cached: cache.take({ ...request, apiKey }) };
  if (!request.isStreamed) return json(response, 200, api.whole(reply, body, facts));
  const frames = api.frames(reply, body, facts);
  const garbageFrame = 'data: {"choices":[\n\n';
  return sendEvents(response, { frames, errorFrame: api.errorFrame, garbageFrame }, fault, closing);
}

function embed(
  response: ServerResponse,
  request: EmbeddingsRequest,
  n: number,
  options: EmbeddingsOptions = {},
): void | Promise<void> {
  const fault = options.fault?.(n, textsOf(request));
  if (fault?.kind === 'no-answer') return gone(response);
  if (fault?.kind === 'status') return sendStatus(response, fault);
  const data = embeddingData(request, options);
  json(response, 200, embeddingsBody(request, fault ? fault.change(data) : data));
}

function sendStatus(response: ServerResponse, fault: Fault & { kind: 'status' }): void {
  const body = fault.body ?? errorBody(`status ${fault.status}`, { type: 'server_error' });
  json(response, fault.status, body, fault.headers);
}

function refuse(
  request: Omit<RecordedRequest, 'problems'>,
  options: OpenAIDoubleOptions,
): Refusal | undefined {
  const unauthorised = checkKey(keyOf(request.headers), options.apiKey);
  if (unauthorised !== undefined) return unauthorised;
  if (isModels(request.path, options)) return undefined;
  if (isEmbeddings(request.path, options)) return refuseEmbeddings(request.body, options.embeddings);
  if (isCount(request.path, options)) {
    const wrong = validateResponsesCount(request.body);
    return wrong.length === 0 ? undefined : { ...refusal(400, wrong.join('; ')), problems: wrong };
  }
  const api = apiOf(request.path, options);
  if (api === undefined) return refusal(404, `Invalid URL (${request.method} ${request.path})`);
  const problems = api.problems(request.body);
  if (problems.length > 0) return { ...refusal(400, problems.join('; ')), problems };
  const { tokens, output } = api.read(request.body);
  const overflow = overflowBody(tokens.length, output, options.window ?? 128_000);
  return overflow === undefined
    ? undefined
    : { status: 400, body: overflow, problems: ['context_length_exceeded'] };
}

function refusal(status: number, message: string, code?: string): Refusal {
  return { status, body: errorBody(message, code === undefined ? {} : { code }), problems: [message] };
}

// The real service names the key it refused, most of it masked.
function checkKey(given: string, apiKey: string | undefined): Refusal | undefined {
  if (apiKey === undefined || given === apiKey) return undefined;
  const message = `Incorrect API key provided: ${given.slice(0, 8)}********${given.slice(-4)}.`;
  return refusal(401, message, 'invalid_api_key');
}

function apiOf(path: string, { basePath = '/v1' }: OpenAIDoubleOptions): ModelApi | undefined {
  return [CHAT_API, RESPONSES_API].find((api) => pathOf(path) === basePath + api.path);
}

/** Azure's has a header of its own. */
function keyOf(headers: IncomingHttpHeaders): string {
  return String(headers['api-key'] ?? /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '');
}

/** Azure names the version of its API in the query. */
function pathOf(path: string): string {
  return path.replace(/\?.*$/, '');
}

function isCount(path: string, { basePath = '/v1', counts = true }: OpenAIDoubleOptions): boolean {
  return counts && pathOf(path) === `${basePath}/responses/input_tokens`;
}

function countOf(request: ResponsesRequest): object {
  return { object: 'response.input_tokens', input_tokens: tokensOfResponses(request).length };
}

function isModels(path: string, options: OpenAIDoubleOptions): boolean {
  return path === `${options.basePath ?? '/v1'}/models`;
}

function isEmbeddings(path: string, options: OpenAIDoubleOptions): boolean {
  return path === `${options.basePath ?? '/v1'}/embeddings`;
}

function modelList(options: OpenAIDoubleOptions): object {
  const models = options.models ?? ['gpt-4o'];
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'double' }));
  return { object: 'list', data };
}
