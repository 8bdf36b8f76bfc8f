/** The driver over its double, as the suite of processors wants it. */
import {
  instantTiming,
  type ProcessorInstance,
  type ServerFault,
  type ServerReply,
} from '@pagefault/conformance';
import {
  promptTokens,
  startOpenAIDouble,
  type ChatRequest,
  type DoubleReply,
  type Fault,
  type ResponsesRequest,
  tokensOfResponses,
} from '@pagefault/doubles';
import { createOpenAIProcessor, type OpenAIClient } from '../src/index.js';
import type { Api } from '../src/options.js';

const SECRET = 'sk-conformance-abcd1234efgh';

const FINISH = { stop: undefined, length: 'length', refused: 'content_filter', never: null } as const;

function onTheWire(
  { text, thinking, calls, end = 'stop', usage, fault }: ServerReply,
  api: Api,
): DoubleReply {
  const finish = FINISH[end];
  return {
    ...(text === undefined ? {} : { text }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(calls === undefined ? {} : { calls }),
    ...(finish === undefined ? {} : { finish }),
    ...(usage === false ? { usage: null } : {}),
    ...(fault === undefined ? {} : { fault: faultOf(fault, api) }),
  };
}

/** What stands before the first word: the role; of Responses the head twice, the item and its part. */
const HEAD = { chat: 1, responses: 4 } as const;

function faultOf(fault: ServerFault, api: Api): Fault {
  const after = (shown: boolean): number => HEAD[api] + (shown ? 2 : 0);
  switch (fault.kind) {
    case 'status':
      return { ...fault, body: { error: { message: `status ${fault.status} for ${SECRET}`, type: 'x' } } };
    case 'too-long':
      return {
        kind: 'status',
        status: 400,
        body: { error: { message: 'too long', code: 'context_length_exceeded' } },
      };
    case 'filtered':
      return {
        kind: 'status',
        status: 400,
        body: { error: { message: 'filtered', code: 'content_filter' } },
      };
    case 'no-answer':
      return { kind: 'no-answer' };
    case 'split':
      return { kind: 'split', bytes: 1 };
    case 'overloaded':
      return { kind: 'error-event', after: after(fault.shown) };
    case 'destroyed':
      return { kind: 'destroy', after: after(fault.shown) };
    case 'cut':
      return { kind: 'end', after: after(fault.shown) };
    case 'silent':
      return { kind: 'silence', after: after(fault.shown) };
    case 'garbage':
      return { kind: 'garbage', after: after(fault.shown) };
  }
}

export interface DoubleInstance extends ProcessorInstance {
  end(): Promise<void>;
}

export interface InstanceOptions {
  /** Default `chat`. */
  readonly api?: Api;
  /** Instead of the client that the driver makes. */
  readonly client?: (access: { readonly apiKey: string; readonly baseURL: string }) => OpenAIClient;
}

export async function createInstance({
  api = 'chat',
  client,
}: InstanceOptions = {}): Promise<DoubleInstance> {
  let replies: readonly ServerReply[] = [];
  let begin = 0;
  const answer = (): DoubleReply => {
    const [next = {}, ...rest] = replies;
    replies = rest;
    return onTheWire(next, api);
  };
  const double = await startOpenAIDouble({ reply: answer, respond: answer, apiKey: SECRET });
  const timing = instantTiming();
  const access = { apiKey: SECRET, baseURL: double.baseURL };
  const options = {
    ...access,
    model: 'gpt-4o',
    api,
    timing,
    reasoning: true,
    ...(client === undefined ? {} : { client: client(access) }),
  };
  return {
    driver: createOpenAIProcessor(options),
    impatient: () => createOpenAIProcessor({ ...options, attempts: 1, idleTimeout: 50 }),
    secret: SECRET,
    script: (...given) => {
      replies = given;
      begin = double.requests.length;
      timing.slept.length = 0;
    },
    requests: () => double.requests.length - begin,
    refusals: () => double.requests.slice(begin).flatMap(({ problems }) => problems),
    counted: () => tokensOfBody(api, double.requests.at(-1)?.body),
    answering: () => double.answering(),
    waits: () => timing.slept,
    end: () => double.close(),
  };
}

function tokensOfBody(api: Api, body: unknown): number {
  return api === 'chat'
    ? promptTokens(body as ChatRequest)
    : tokensOfResponses(body as ResponsesRequest).length;
}
