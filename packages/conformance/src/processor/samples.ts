/** Messages and requests that tests of processors are made of. */
import type { InferRequest, Message, Part, ProcessorEvent, Reply, Role } from '@pagefault/contracts';

let nextId = 0;

export function message(role: Role, ...parts: Part[]): Message {
  nextId += 1;
  return { id: `m${nextId}`, role, parts, at: 0 };
}

export const text = (value: string): Part => ({ type: 'text', text: value });

export const call = (callId: string, args = '{}', name = 'look'): Part => ({
  type: 'call',
  callId,
  name,
  arguments: args,
});

export const result = (callId: string, value = 'ok'): Part => ({
  type: 'result',
  callId,
  name: 'look',
  text: value,
});

export const lookTool: InferRequest['tools'][number] = {
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
};

export function request(messages: readonly Message[], change: Partial<InferRequest> = {}): InferRequest {
  return { tools: [], system: 'You are brief.', messages, maxOutput: 500, ...change };
}

export const hello: InferRequest = request([message('user', text('hello'))]);

export async function collect(events: AsyncIterable<ProcessorEvent>): Promise<ProcessorEvent[]> {
  const all: ProcessorEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export async function replyOf(events: AsyncIterable<ProcessorEvent>): Promise<Reply> {
  const last = (await collect(events)).at(-1);
  if (last?.type !== 'finish') throw new Error(`the stream ended with ${last?.type}`);
  return last.reply;
}

/** The clock and chance of a driver's retries: waits take no time and are written down. */
export function instantTiming() {
  const slept: number[] = [];
  return {
    slept,
    now: () => 0,
    random: () => 0,
    sleep: (span: number): Promise<void> => {
      slept.push(span);
      return Promise.resolve();
    },
  };
}
