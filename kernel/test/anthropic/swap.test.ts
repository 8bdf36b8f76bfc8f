/** One life on two providers: the processor is another after a restart, or from the end of a turn on. */
import type { RecallDriver } from '@pagefault/contracts';
import { type DoubleReply, type MessagesReply, startOpenAIDouble } from '@pagefault/doubles';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createAnthropicProcessor } from '@pagefault/driver-processor-anthropic';
import { createOpenAIProcessor } from '@pagefault/driver-processor-openai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boot } from '../../src/boot.js';
import { FEW_SYSCALLS } from '../support/stack.js';
import * as openai from '../openai/talk.js';
import * as anthropic from './talk.js';

type Provider = 'openai' | 'anthropic' | 'thinker';

interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: object; readonly id?: string }[];
}

/** What a model says on the wire of either provider. */
const onOpenAI = ({ text, calls = [] }: Said): DoubleReply => ({
  ...(text === undefined ? {} : { text }),
  thinking: 'as OpenAI thinks',
  calls: calls.map(({ name, args, id }) => ({
    name,
    arguments: JSON.stringify(args),
    ...(id === undefined ? {} : { id }),
  })),
});
const onAnthropic = ({ text, calls = [] }: Said, thinks: boolean): MessagesReply => ({
  ...(thinks ? { thinking: 'as Anthropic thinks', redacted: 'hidden' } : {}),
  ...(text === undefined ? {} : { text }),
  calls: calls.map(({ name, args, id }) => ({
    name,
    input: JSON.stringify(args),
    ...(id === undefined ? {} : { id }),
  })),
});

type Model = (n: number) => Said;

async function startOn(provider: Provider, recall: RecallDriver, model: Model) {
  if (provider === 'openai')
    return openai.startTalk({ recall, window: 8_192, reply: (_, n) => onOpenAI(model(n)) });
  const thinks = provider === 'thinker';
  return anthropic.startTalk({
    recall,
    window: thinks ? 16_384 : 8_192,
    reply: ({ thinking }, n) => onAnthropic(model(n), thinking?.type === 'enabled'),
    rules: { prefill: false },
    ...(thinks ? { processorOptions: { thinking: 1_024, maxOutput: 2_000 } } : {}),
  });
}

const remember = {
  name: 'core_memory_append',
  args: { name: 'human', content: ' Ada breeds alpacas.', request_heartbeat: true },
};
const tell = (message: string) => ({ name: 'send_message', args: { message } });

/** Remembers something now and then, searches, and tells; with ids that some servers give. */
const speaker: Model = (n) => {
  const said = tell(`Answer ${n}. ${'Fleece and wool. '.repeat(12)}`);
  if (n % 5 === 1) return { calls: [{ ...remember, id: 'functions.core:0' }] };
  if (n % 5 === 2)
    return {
      text: 'Let me see.',
      calls: [
        { name: 'conversation_search', args: { query: 'alpaca', request_heartbeat: true }, id: 'call_0' },
        { ...said, id: 'call_0' },
      ],
    };
  return n % 5 === 3 ? { text: 'Plain words.' } : { calls: [said] };
};

const say = (turn: number): string =>
  `Turn ${turn}: the alpaca of stall ${turn * 7} was sheared. ${'It weighs 13 grams. '.repeat(20)}`;

/** Lives some turns on each provider, over one memory; gives what was refused, said and stored. */
async function live(providers: readonly Provider[], turnsEach: number) {
  const recall = createMemoryRecall();
  const refusals: string[] = [];
  const outcomes: string[] = [];
  let turn = 0;
  let flushes = 0;
  let blocks: readonly string[] = [];
  let broken: readonly string[] = [];
  for (const provider of providers) {
    const talk = await startOn(provider, recall, speaker);
    talk.kernel.bus.on('flush-finished', () => (flushes += 1));
    for (let each = 0; each < turnsEach; each += 1)
      outcomes.push((await talk.agent.send(say((turn += 1)))).outcome);
    refusals.push(...talk.refusals());
    const map = await talk.agent.map();
    blocks = map.blocks.map(({ value }) => value);
    broken = openai.brokenPairs(await talk.log());
    await talk.close();
  }
  return { refusals, outcomes, flushes, blocks, broken };
}

/** Of both: real time, but waits take none. */
const AT = {
  apiKey: 'key',
  window: 8_192,
  maxOutput: 512,
  timing: { now: () => 0, random: () => 0, sleep: () => Promise.resolve() },
};

describe('a life on two providers', () => {
  it('goes on from OpenAI to Anthropic and back at the end of a turn, with one memory, accepted by both (A15, A16, A18)', async () => {
    const { refusals, outcomes, flushes, blocks, broken } = await live(['openai', 'anthropic', 'openai'], 10);
    expect(refusals).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set(['answered']));
    expect(flushes).toBeGreaterThanOrEqual(2);
    expect(blocks.join().match(/Ada breeds alpacas/g)?.length).toBeGreaterThanOrEqual(3);
    expect(broken).toEqual([]);
  });

  it('is put from one to the other and back while it lives, and both accept all that they are sent', async () => {
    const talk = await anthropic.startTalk({
      window: 8_192,
      reply: (_, n) => onAnthropic(speaker(n), false),
    });
    const other = await startOpenAIDouble({
      reply: ({ tools = [] }, n) => (tools.length > 0 ? onOpenAI(speaker(n)) : { text: 'They talked.' }),
      window: 8_192,
      apiKey: 'key',
    });
    const processors = {
      anthropic: createAnthropicProcessor({ ...AT, model: 'claude-haiku-4-5', baseURL: talk.double.baseURL }),
      openai: createOpenAIProcessor({ ...AT, model: 'gpt-4o', baseURL: other.baseURL }),
    };
    const recall = createMemoryRecall();
    const kernel = await boot({ recall, processor: 'openai', processors, syscalls: FEW_SYSCALLS });
    const agent = await kernel.spawn();
    const outcomes: string[] = [];
    for (let turn = 1; turn <= 30; turn += 1) {
      if (turn % 5 === 1) await agent.useProcessor(turn % 10 === 1 ? 'openai' : 'anthropic');
      outcomes.push((await agent.send(say(turn))).outcome);
    }
    const { counters } = await agent.map();
    await kernel.close();
    await other.close();
    expect([...talk.refusals(), ...other.requests.flatMap(({ problems }) => problems)]).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set(['answered']));
    expect(counters.flushes).toBeGreaterThanOrEqual(2);
    expect(Math.min(talk.chats().length, other.requests.length)).toBeGreaterThanOrEqual(15);
    await talk.close();
  });

  it('comes to a model that must begin with thinking, from one that has none, and leaves again (A13, A15)', async () => {
    const { refusals, outcomes } = await live(['anthropic', 'thinker', 'openai', 'thinker', 'anthropic'], 4);
    expect(refusals).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set(['answered']));
  });

  it('whatever the order of providers, both accept every request (invariant 2)', async () => {
    const orders = fc.array(fc.constantFrom<Provider[]>('openai', 'anthropic', 'thinker'), {
      minLength: 2,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 1, max: 4 }), async (providers, turnsEach) => {
        const { refusals, outcomes, broken } = await live(providers, turnsEach);
        expect(refusals).toEqual([]);
        expect(new Set(outcomes)).toEqual(new Set(['answered']));
        expect(broken).toEqual([]);
      }),
      { numRuns: Number(process.env['PAGEFAULT_RUNS'] ?? 8) },
    );
  }, 120_000);
});
