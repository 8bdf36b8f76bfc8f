/** The driver over its double, as the suite of processors wants it. */
import {
  instantTiming,
  type ProcessorInstance,
  type ServerFault,
  type ServerReply,
} from '@pagefault/conformance';
import {
  inputTokens,
  startAnthropicDouble,
  type Fault,
  type MessagesReply,
  type MessagesRequest,
} from '@pagefault/doubles';
import { createAnthropicProcessor } from '../src/index.js';

const SECRET = 'sk-ant-conformance-abcd1234';

const STOP = { stop: undefined, length: 'max_tokens', refused: 'refusal', never: null } as const;

function onTheWire({ text, thinking, calls, end = 'stop', usage, fault }: ServerReply): MessagesReply {
  const stop = STOP[end];
  return {
    ...(text === undefined ? {} : { text }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(calls === undefined
      ? {}
      : {
          calls: calls.map(({ arguments: input, ...call }) => ({
            ...call,
            ...(input === undefined ? {} : { input }),
          })),
        }),
    ...(stop === undefined ? {} : { stop }),
    ...(usage === false ? { usage: null } : {}),
    ...(fault === undefined ? {} : { fault: faultOf(fault) }),
  };
}

/** The head, a ping and the beginning of the first block stand before the first word. */
const after = (shown: boolean): number => (shown ? 5 : 3);

function faultOf(fault: ServerFault): Fault {
  switch (fault.kind) {
    case 'status':
      return {
        ...fault,
        body: { type: 'error', error: { type: 'x', message: `status ${fault.status} for ${SECRET}` } },
      };
    case 'too-long':
      return {
        kind: 'status',
        status: 400,
        body: refusal('prompt is too long: 208310 tokens > 200000 maximum'),
      };
    case 'filtered':
      return { kind: 'status', status: 400, body: refusal('Output blocked by content filtering policy') };
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

function refusal(message: string): object {
  return { type: 'error', error: { type: 'invalid_request_error', message } };
}

export interface DoubleInstance extends ProcessorInstance {
  end(): Promise<void>;
}

export async function createInstance(): Promise<DoubleInstance> {
  let replies: readonly ServerReply[] = [];
  let begin = 0;
  const double = await startAnthropicDouble({
    reply: () => {
      const [next = {}, ...rest] = replies;
      replies = rest;
      return onTheWire(next);
    },
    apiKey: SECRET,
  });
  const timing = instantTiming();
  const options = { model: 'claude-haiku-4-5', apiKey: SECRET, baseURL: double.baseURL, timing };
  return {
    driver: createAnthropicProcessor(options),
    impatient: () => createAnthropicProcessor({ ...options, attempts: 1, idleTimeout: 50 }),
    secret: SECRET,
    script: (...given) => {
      replies = given;
      begin = double.requests.length;
      timing.slept.length = 0;
    },
    requests: () => double.requests.length - begin,
    refusals: () => double.requests.slice(begin).flatMap(({ problems }) => problems),
    counted: () => inputTokens(double.requests.at(-1)?.body as MessagesRequest),
    answering: () => double.answering(),
    waits: () => timing.slept,
    end: () => double.close(),
  };
}
