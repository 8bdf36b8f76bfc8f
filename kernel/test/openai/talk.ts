/** A kernel on processor-openai, which talks to a local server with the provider's rules. */
import { LATEST, type LogEntry, type RecallDriver } from '@pagefault/contracts';
import { type ChatRequest, type DoubleReply, type OpenAIDouble, startOpenAIDouble } from '@pagefault/doubles';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createOpenAIProcessor } from '@pagefault/driver-processor-openai';
import { boot, type KernelOptions } from '../../src/boot.js';
import type { Kernel } from '../../src/shell/kernel.js';
import { FEW_SYSCALLS } from '../support/stack.js';
import type { Process } from '../../src/shell/process.js';

export interface TalkOptions extends Partial<Omit<KernelOptions, 'processor' | 'window'>> {
  /** What the model says to each request that is accepted, but for summaries. `n` counts those from 0. */
  readonly reply: (request: ChatRequest, n: number) => DoubleReply;
  /** What the model says when it is asked for a summary. */
  readonly summary?: (request: ChatRequest) => DoubleReply;
  readonly window?: number;
  /** What the server takes. Default: the same. */
  readonly serverWindow?: number;
  readonly maxOutput?: number;
  /** Default `key`. */
  readonly apiKey?: string;
}

export interface Talk {
  readonly kernel: Kernel;
  readonly agent: Process;
  readonly double: OpenAIDouble;
  readonly recall: RecallDriver;
  /** Requests that ask for a reply, accepted ones only. */
  chats(): ChatRequest[];
  /** Why the server refused a request; must be empty but where a test wants a refusal. */
  refusals(): string[];
  log(): Promise<readonly LogEntry[]>;
  close(): Promise<void>;
}

const SUMMARY: DoubleReply = { text: 'They talked about alpacas and their fleece.' };

export async function startTalk(options: TalkOptions): Promise<Talk> {
  const { reply, summary = () => SUMMARY, window = 4_096, serverWindow = window, maxOutput = 512 } = options;
  const { apiKey = 'key' } = options;
  let chats = 0;
  const answer = (request: ChatRequest) => (isChat(request) ? reply(request, chats++) : summary(request));
  const double = await startOpenAIDouble({ reply: answer, window: serverWindow, apiKey });
  const {
    reply: _,
    summary: __,
    serverWindow: ___,
    maxOutput: ____,
    window: _____,
    apiKey: ______,
    ...kernelOptions
  } = options;
  const recall = options.recall ?? createMemoryRecall();
  const processor = createOpenAIProcessor({
    model: 'gpt-4o',
    apiKey,
    baseURL: double.baseURL,
    window,
    maxOutput,
    timing: INSTANT,
  });
  const kernel = await boot({ syscalls: FEW_SYSCALLS, ...kernelOptions, recall, processor });
  const [known] = await kernel.list();
  const agent = known ? await kernel.open(known.pid) : await kernel.spawn({ name: 'ada' });
  const accepted = () => double.requests.filter(({ problems }) => problems.length === 0);
  return {
    kernel,
    agent,
    double,
    recall,
    chats: () =>
      accepted()
        .map(({ body }) => body as ChatRequest)
        .filter(isChat),
    refusals: () => double.requests.flatMap(({ problems }) => problems),
    log: async () => (await recall.read([{ pid: agent.pid, upTo: LATEST }], { limit: 10_000 })).items,
    close: async () => {
      await kernel.close();
      await double.close();
    },
  };
}

/** Real time, but waits take none. */
const INSTANT = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() };

/** The summariser offers no tools. */
function isChat(request: ChatRequest): boolean {
  return (request.tools ?? []).length > 0;
}

export function tells(message: string, more: Partial<DoubleReply> = {}): DoubleReply {
  return { calls: [{ name: 'send_message', arguments: JSON.stringify({ message }) }], ...more };
}

export function asks(name: string, args: object = {}): DoubleReply {
  return { calls: [{ name, arguments: JSON.stringify({ ...args, request_heartbeat: true }) }] };
}

/** The text of the last user message, and how many results the model has had since. */
export function place({ messages }: ChatRequest): { text: string; results: number } {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const content = messages[last]?.content;
  const results = messages.slice(last).filter(({ role }) => role === 'tool').length;
  return { text: typeof content === 'string' ? content : '', results };
}

export function textsOf(log: readonly LogEntry[]): string[] {
  return log.flatMap(({ message }) =>
    message.parts.flatMap((part) => (part.type === 'text' || part.type === 'result' ? [part.text] : [])),
  );
}

/** Call ids whose result is missing, or there twice: none in a whole history. */
export function brokenPairs(log: readonly LogEntry[]): string[] {
  const parts = log.flatMap(({ message }) => message.parts);
  const ids = (type: 'call' | 'result') => parts.flatMap((part) => (part.type === type ? [part.callId] : []));
  const results = ids('result');
  return ids('call').filter((id) => results.filter((other) => other === id).length !== 1);
}
