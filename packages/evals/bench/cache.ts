/**
 * What a layout costs at a provider that caches prefixes: a conversation of 200 turns with 30 edits of blocks, half of
 * them by others, on a server that reports cached tokens as OpenAI does.
 */
import type { Usage } from '@pagefault/contracts';
import { type ChatRequest, type DoubleReply, startOpenAIDouble } from '@pagefault/doubles';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createOpenAIProcessor } from '@pagefault/driver-processor-openai';
import {
  boot,
  extractive,
  findPolicy,
  type Limits,
  type LayoutName,
  type PolicyName,
  type Process,
} from '@pagefault/kernel';
import { billOf, type PromptBill } from './prefix-bill.js';

export interface CacheRun {
  readonly layout: LayoutName;
  readonly turns: number;
  readonly edits: number;
  readonly flushes: number;
  /** One a request, in order. */
  readonly bills: readonly PromptBill[];
  /** What the server reported, for the same requests. */
  readonly reported: readonly Usage[];
  readonly sum: PromptBill;
  /** Tokens of input at full price that cost as much. */
  readonly price: number;
}

const TURNS = 200;
/** A cached token at the tenth of a plain one: OpenAI's price list for the GPT-5 family. */
const CACHED_PRICE = 0.1;

export interface CacheOptions {
  /** Default `fifo`. */
  readonly policy?: PolicyName;
  readonly limits?: Partial<Limits>;
}

export async function measureCache(
  layout: LayoutName,
  { policy = 'fifo', limits = {} }: CacheOptions = {},
): Promise<CacheRun> {
  const double = await startOpenAIDouble({ reply: answer, apiKey: 'key' });
  const reported: Usage[] = [];
  const kernel = await boot({
    recall: createMemoryRecall(),
    processor: createOpenAIProcessor({
      model: 'gpt-4o',
      apiKey: 'key',
      baseURL: double.baseURL,
      window: 8_192,
      maxOutput: 512,
    }),
    // Of no model: what is billed here are the requests of the conversation.
    summariser: extractive,
    layout,
    policy: findPolicy(policy),
    limits,
    record: {
      place: 'here',
      open: () => ({
        write: (line) => {
          if (line.type === 'event' && line.event.type === 'replied') reported.push(line.event.reply.usage);
        },
        close: async () => undefined,
      }),
      erase: async () => [],
    },
  });
  try {
    const agent = await kernel.spawn();
    const edits = await converse(agent);
    const { flushes } = (await agent.map()).counters;
    const bills = billOf(double.requests.map(({ body }) => body as ChatRequest));
    const sum = sumOf(bills);
    const price = Math.round(sum.prompt - sum.cached * (1 - CACHED_PRICE));
    return { layout, turns: TURNS, edits, flushes, bills, reported, sum, price };
  } finally {
    await kernel.close();
    await double.close();
  }
}

/** Every thirteenth turn the model edits, and as often somebody else; the number of edits. */
async function converse(agent: Process): Promise<number> {
  let others = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    if (turn % 13 === 6) await agent.blocks.append('persona', `Rule ${(others += 1)}: be brief about wool.`);
    await agent.send(
      turn % 13 === 10 ? `Note that alpaca ${turn} is shorn.` : `Tell me more about alpaca ${turn}.`,
    );
  }
  const blocks = await agent.blocks.list();
  return blocks.reduce((sum, { version }) => sum + version - 1, 0);
}

/** Edits when it is asked to note something, and then answers. */
function answer({ messages }: ChatRequest, n: number): DoubleReply {
  const last = messages.findLast(({ role }) => role !== 'system');
  const asked = typeof last?.content === 'string' ? last.content : '';
  if (last?.role === 'user' && asked.startsWith('Note'))
    return {
      calls: [callOf(n, 'core_memory_append', { name: 'human', content: asked, request_heartbeat: true })],
    };
  const message = `Alpacas are calm, and so is this one; it has grazed by the river since spring, and its fleece will be ready for the market in Cork before the summer fair, answer ${n}.`;
  return { calls: [callOf(n, 'send_message', { message })] };
}

function callOf(n: number, name: string, args: object) {
  return { id: `call_${n}`, name, arguments: JSON.stringify(args) };
}

function sumOf(bills: readonly PromptBill[]): PromptBill {
  const sum = (of: (bill: PromptBill) => number) => bills.reduce((total, bill) => total + of(bill), 0);
  return {
    prompt: sum(({ prompt }) => prompt),
    cached: sum(({ cached }) => cached),
    fresh: sum(({ fresh }) => fresh),
    rewritten: sum(({ rewritten }) => rewritten),
    rounding: sum(({ rounding }) => rounding),
  };
}
