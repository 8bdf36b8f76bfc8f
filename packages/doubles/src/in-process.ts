/**
 * The doubles' services without a server between: clients that check each body by the service's rules and give the events
 * that an SDK would read off the wire. For properties, where thousands of requests are made and only their content matters:
 * nothing is counted, so no usage is reported but what a reply itself gives.
 */
import type { Fault } from './fault.js';
import { inputTokens } from './anthropic/prompt.js';
import { streamedAnswer } from './anthropic/events.js';
import type { MessagesReply } from './anthropic/reply.js';
import type { ModelRules } from './anthropic/rules.js';
import type { CountRequest, MessagesRequest } from './anthropic/types.js';
import { validateCountRequest, validateMessagesRequest } from './anthropic/validate.js';
import type { ModelApi } from './openai/api.js';
import { CHAT_API } from './openai/chat-api.js';
import type { DoubleReply } from './openai/reply.js';
import { RESPONSES_API } from './openai/responses/api.js';
import type { ResponsesRequest } from './openai/responses/types.js';
import type { ChatRequest } from './openai/types.js';
import type { StreamedAnswer } from './stream-out.js';

/** A request as it came, and why the service refuses it: empty when it does not. */
export interface HeardRequest {
  readonly body: unknown;
  readonly problems: readonly string[];
}

/** `never`, so that it fits where the events of any version of an SDK are expected. */
type Events = AsyncIterable<never>;

interface Create {
  create(body: unknown): Promise<Events>;
}

export interface OpenAIInProcess {
  readonly client: { readonly chat: { readonly completions: Create }; readonly responses: Create };
  /** May be emptied. */
  readonly requests: HeardRequest[];
}

export interface OpenAIInProcessOptions {
  readonly reply?: (request: ChatRequest, n: number) => DoubleReply;
  readonly respond?: (request: ResponsesRequest, n: number) => DoubleReply;
}

export function openAIInProcess({ reply, respond }: OpenAIInProcessOptions): OpenAIInProcess {
  const requests: HeardRequest[] = [];
  const serve = (api: ModelApi, answer: (body: unknown, n: number) => DoubleReply | undefined): Create => ({
    async create(body) {
      const n = hear(requests, body, api.problems(body));
      const said = { usage: null, ...answer(body, n) };
      const facts = { n, prompt: 0, cached: 0 };
      return streamed(said.fault, () => ({
        frames: api.frames(said, body, facts),
        errorFrame: api.errorFrame,
      }));
    },
  });
  return {
    client: {
      chat: { completions: serve(CHAT_API, (body, n) => reply?.(body as ChatRequest, n)) },
      responses: serve(RESPONSES_API, (body, n) => respond?.(body as ResponsesRequest, n)),
    },
    requests,
  };
}

export interface AnthropicInProcess {
  readonly client: {
    readonly messages: Create & { countTokens(body: unknown): Promise<{ readonly input_tokens: number }> };
  };
  /** May be emptied. */
  readonly requests: HeardRequest[];
}

export interface AnthropicInProcessOptions {
  readonly reply: (request: MessagesRequest, n: number) => MessagesReply;
  readonly rules?: Partial<ModelRules>;
}

export function anthropicInProcess({ reply, rules = {} }: AnthropicInProcessOptions): AnthropicInProcess {
  const requests: HeardRequest[] = [];
  const nothingCached = { read: 0, written: { '5m': 0, '1h': 0 } };
  return {
    client: {
      messages: {
        async create(body) {
          const n = hear(requests, body, validateMessagesRequest(body, rules));
          const request = body as MessagesRequest;
          const said = { usage: null, ...reply(request, n) };
          return streamed(said.fault, () => streamedAnswer(said, request, n, nothingCached));
        },
        async countTokens(body) {
          hear(requests, body, validateCountRequest(body, rules));
          return { input_tokens: inputTokens(body as CountRequest) };
        },
      },
    },
    requests,
  };
}

/** Its number. Errors: one of status 400, as an SDK throws it, for what the service refuses. */
function hear(requests: HeardRequest[], body: unknown, problems: readonly string[]): number {
  requests.push({ body, problems });
  if (problems.length > 0) throw Object.assign(new Error(problems.join('; ')), { status: 400 });
  return requests.length - 1;
}

async function streamed(
  fault: Fault | undefined,
  answer: () => Pick<StreamedAnswer, 'frames' | 'errorFrame'>,
): Promise<Events> {
  if (fault?.kind === 'status')
    throw Object.assign(new Error(`status ${fault.status}`), {
      status: fault.status,
      headers: new Headers(fault.headers),
    });
  const { frames, errorFrame } = answer();
  const sent = fault !== undefined && 'after' in fault ? frames.slice(0, fault.after) : frames;
  return events(sent, () => failureOf(fault, errorFrame));
}

async function* events(
  frames: readonly string[],
  failure: () => Error | undefined,
): AsyncGenerator<never, void> {
  for (const frame of frames) {
    const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '[DONE]';
    if (data !== '[DONE]') yield JSON.parse(data) as never;
  }
  const error = failure();
  if (error !== undefined) throw error;
}

/** What an SDK makes of a stream that breaks; undefined where it ends in good order. */
function failureOf(fault: Fault | undefined, errorFrame: StreamedAnswer['errorFrame']): Error | undefined {
  switch (fault?.kind) {
    case 'error-event':
      return Object.assign(new Error('the server reported an error'), detailsOf(errorFrame(fault.error)));
    case 'garbage':
      return new SyntaxError('Unexpected end of JSON input');
    case 'destroy':
      return new TypeError('terminated');
    case 'silence':
    case 'no-answer':
    case 'slow':
    case 'split':
      throw new RangeError(`a fault of time or bytes needs a server: ${fault.kind}`);
    default:
      return undefined;
  }
}

function detailsOf(frame: string): object {
  const told = JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '{}') as { error?: object };
  return told.error ?? told;
}
