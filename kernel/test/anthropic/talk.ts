/** A kernel on processor-anthropic, which talks to a local server with the provider's rules. */
import { LATEST, type LogEntry, type RecallDriver } from '@pagefault/contracts';
import {
  type AnthropicDouble,
  type MessagesReply,
  type MessagesRequest,
  type ModelRules,
  startAnthropicDouble,
} from '@pagefault/doubles';
import { createMemoryRecall } from '@pagefault/driver-memory';
import {
  type AnthropicProcessorOptions,
  createAnthropicProcessor,
} from '@pagefault/driver-processor-anthropic';
import { boot, type KernelOptions } from '../../src/boot.js';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import { FEW_SYSCALLS } from '../support/stack.js';

export interface TalkOptions extends Partial<Omit<KernelOptions, 'processor' | 'window'>> {
  /** What the model says to each request that is accepted, but for summaries. `n` counts those from 0. */
  readonly reply: (request: MessagesRequest, n: number) => MessagesReply;
  readonly window?: number;
  readonly rules?: Partial<ModelRules>;
  readonly processorOptions?: Partial<AnthropicProcessorOptions>;
}

export interface Talk {
  readonly kernel: Kernel;
  readonly agent: Process;
  readonly double: AnthropicDouble;
  readonly recall: RecallDriver;
  /** Requests that ask for a reply, accepted ones only. */
  chats(): MessagesRequest[];
  /** Why the server refused a request; must be empty but where a test wants a refusal. */
  refusals(): string[];
  log(): Promise<readonly LogEntry[]>;
  close(): Promise<void>;
}

const SUMMARY: MessagesReply = { text: 'They talked about alpacas and their fleece.' };

export async function startTalk(options: TalkOptions): Promise<Talk> {
  const { reply, window = 8_192, rules, processorOptions, ...kernelOptions } = options;
  let chats = 0;
  const double = await startAnthropicDouble({
    reply: (request) => (isChat(request) ? reply(request, chats++) : SUMMARY),
    rules: { window, ...rules },
    apiKey: 'key',
  });
  const recall = options.recall ?? createMemoryRecall();
  const processor = createAnthropicProcessor({
    model: 'claude-haiku-4-5',
    apiKey: 'key',
    baseURL: double.baseURL,
    window,
    maxOutput: 512,
    timing: { now: () => 0, random: () => 0, sleep: () => Promise.resolve() },
    ...processorOptions,
  });
  const kernel = await boot({ syscalls: FEW_SYSCALLS, ...kernelOptions, recall, processor });
  const [known] = await kernel.list();
  const agent = known ? await kernel.open(known.pid) : await kernel.spawn({ name: 'ada' });
  return {
    kernel,
    agent,
    double,
    recall,
    chats: () =>
      double.requests
        .filter(({ problems }) => problems.length === 0)
        .map(({ body }) => body as MessagesRequest)
        .filter(isChat),
    refusals: () => double.requests.flatMap(({ problems }) => problems),
    log: async () => (await recall.read([{ pid: agent.pid, upTo: LATEST }], { limit: 10_000 })).items,
    close: async () => {
      await kernel.close();
      await double.close();
    },
  };
}

/** The summariser offers no tools. */
function isChat({ tools = [], tool_choice }: MessagesRequest): boolean {
  return tools.length > 0 && tool_choice?.type !== 'none';
}

export function tells(message: string, more: Partial<MessagesReply> = {}): MessagesReply {
  return { calls: [{ name: 'send_message', input: JSON.stringify({ message }) }], ...more };
}

export function asks(name: string, args: object = {}, more: Partial<MessagesReply> = {}): MessagesReply {
  return { calls: [{ name, input: JSON.stringify({ ...args, request_heartbeat: true }) }], ...more };
}

/** All that was said to the model, block by block. */
export function textsOf({ messages }: MessagesRequest): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.map((block) => (block.type === 'text' ? block.text : '')),
  );
}

/** The number of the turn that the last message of the user names. */
export function turnOf(request: MessagesRequest): number {
  const said = textsOf(request).findLast((text) => /^Turn \d+/.test(text));
  return Number(/\d+/.exec(said ?? '')?.[0] ?? 0);
}
