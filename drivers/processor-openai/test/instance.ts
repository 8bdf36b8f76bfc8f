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
} from '@pagefault/doubles';
import { createOpenAIProcessor } from '../src/index.js';

const SECRET = 'sk-conformance-abcd1234efgh';

const FINISH = { stop: undefined, length: 'length', refused: 'content_filter', never: null } as const;

function onTheWire({ text, thinking, calls, end = 'stop', usage, fault }: ServerReply): DoubleReply {
  const finish = FINISH[end];
  return {
    ...(text === undefined ? {} : { text }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(calls === undefined ? {} : { calls }),
    ...(finish === undefined ? {} : { finish }),
    ...(usage === false ? { usage: null } : {}),
    ...(fault === undefined ? {} : { fault: faultOf(fault) }),
  };
}

/** The first event has the role, the second the first word. */
const after = (shown: boolean): number => (shown ? 3 : 1);

function faultOf(fault: ServerFault): Fault {
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

export async function createInstance(): Promise<DoubleInstance> {
  let replies: readonly ServerReply[] = [];
  let begin = 0;
  const double = await startOpenAIDouble({
    reply: () => {
      const [next = {}, ...rest] = replies;
      replies = rest;
      return onTheWire(next);
    },
    apiKey: SECRET,
  });
  const timing = instantTiming();
  const options = { model: 'gpt-4o', apiKey: SECRET, baseURL: double.baseURL, timing };
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
    counted: () => promptTokens(double.requests.at(-1)?.body as ChatRequest),
    answering: () => double.answering(),
    waits: () => timing.slept,
    end: () => double.close(),
  };
}
