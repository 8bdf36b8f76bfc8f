import type { ChatRequest, DoubleCall, DoubleReply, Fault } from '@pagefault/doubles';
import { createMemoryRecall } from '@pagefault/driver-memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DialectName } from '../../src/core/dialect/registry.js';
import type { LayoutName } from '../../src/core/layout/registry.js';
import { defineTool } from '../../src/tool.js';
import { brokenPairs, startTalk, type TalkOptions } from './talk.js';

const OUTCOMES = new Set(
  (
    'answered yielded refused truncated interrupted failed ' +
    'cycle-cap spend-cap time-cap repeating thrashing'
  ).split(' '),
);

const tool = defineTool({
  name: 'look',
  help: 'Looks at something.',
  parameters: z.object({ size: z.number().optional() }),
  effect: 'pure',
  run: async ({ size = 0 }) => 'wool 🦙 '.repeat(size),
});

const word = fc.oneof(
  fc.constantFrom('alpaca', '羊驼', '🦙🦙', '<|endoftext|>', '\u0000', '\ud800', ' ', '\n', '0123456789'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const text = fc
  .tuple(fc.array(word, { maxLength: 6 }), fc.constantFrom(1, 1, 3, 40, 400))
  .map(([words, times]) => words.join(' ').repeat(times).slice(0, 12_000));

const args = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record({ ...fields, request_heartbeat: fc.boolean() }, { requiredKeys: [] })
    .map((value) => JSON.stringify(value));
const call: fc.Arbitrary<DoubleCall> = fc.oneof(
  fc.record({ name: fc.constant('send_message'), arguments: args({ message: text }) }),
  fc.record({ name: fc.constant('look'), arguments: args({ size: fc.constantFrom(0, 10, 20_000) }) }),
  fc.record({
    name: fc.constant('core_memory_append'),
    arguments: args({ name: fc.constant('human'), content: text }),
  }),
  fc.record({ name: fc.constant('conversation_search'), arguments: args({ query: text }) }),
  fc.record({ name: fc.constant('archival_memory_insert'), arguments: args({ content: text }) }),
  fc.record({
    name: fc.constant('page_in'),
    arguments: args({ handle: fc.constantFrom('m1', 'm3', 'm9', 'm99') }),
  }),
  fc.record({
    name: fc.constantFrom('look', 'nothing', 'a b!', ''),
    arguments: fc.string({ maxLength: 12 }),
  }),
  fc.record({ name: fc.constant('look'), id: fc.constantFrom('call_0', '', null, 'x'.repeat(60), 'a:b|c') }),
);

const after = fc.nat({ max: 8 });
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constantFrom('destroy', 'error-event', 'end'), after }),
  fc.record({ kind: fc.constant('status'), status: fc.constantFrom(400, 429, 500, 503) }),
) as fc.Arbitrary<Fault>;

const reply: fc.Arbitrary<DoubleReply> = fc.record(
  {
    text,
    thinking: text,
    calls: fc.array(call, { maxLength: 3 }),
    refusal: fc.constant('I will not.'),
    finish: fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter', null),
    usage: fc.constantFrom(null, { prompt_tokens: 9_000, completion_tokens: 1, total_tokens: 9_001 }),
    fault,
  },
  { requiredKeys: [] },
);
/** Faults and refusals are rare, calls are not. */
const usual = fc.record({ calls: fc.array(call, { minLength: 1, maxLength: 3 }) });
const anyReply = fc.oneof({ weight: 3, arbitrary: usual }, { weight: 2, arbitrary: reply });

interface Life {
  readonly dialect: DialectName;
  readonly layout: LayoutName;
  readonly replies: readonly DoubleReply[];
  readonly messages: readonly string[];
  readonly window: number;
  /** What the server takes of it, in per cent. */
  readonly honest: number;
  readonly restartAfter: number;
  readonly stopAt: number;
}

const life: fc.Arbitrary<Life> = fc.record({
  dialect: fc.constantFrom<DialectName[]>('memgpt', 'native'),
  layout: fc.constantFrom<LayoutName[]>('stable', 'classic', 'user-last'),
  replies: fc.array(anyReply, { minLength: 1, maxLength: 12 }),
  messages: fc.array(
    text.map((value) => `Say: ${value}`),
    { minLength: 2, maxLength: 8 },
  ),
  window: fc.constantFrom(2_600, 3_500, 6_000),
  honest: fc.constantFrom(100, 100, 85),
  restartAfter: fc.nat({ max: 8 }),
  stopAt: fc.nat({ max: 20 }),
});

async function live({ dialect, layout, replies, messages, window, honest, restartAfter, stopAt }: Life) {
  const recall = createMemoryRecall();
  let stop = new AbortController();
  let asked = 0;
  const answer = (_: ChatRequest): DoubleReply => {
    if (asked === stopAt) stop.abort();
    return replies[asked++ % replies.length] ?? {};
  };
  const options: TalkOptions = {
    reply: answer,
    recall,
    dialect,
    layout,
    tools: [tool],
    window,
    serverWindow: Math.floor((window * honest) / 100),
    maxOutput: 300,
    limits: { maxCycles: 6 },
  };
  let talk = await startTalk(options);
  const outcomes: string[] = [];
  const refusals: string[] = [];
  for (const [index, message] of messages.entries()) {
    stop = new AbortController();
    outcomes.push((await talk.agent.send(message, { signal: stop.signal })).outcome);
    if (index !== restartAfter) continue;
    refusals.push(...talk.refusals());
    await talk.close();
    talk = await startTalk(options);
  }
  refusals.push(...talk.refusals());
  const log = await talk.log();
  await talk.close();
  return { outcomes, refusals, log };
}

const RUNS = Number(process.env['PAGEFAULT_RUNS'] ?? 40);

describe('any life on OpenAI', () => {
  it(
    'sends only what the service accepts, and ends every turn with an outcome (invariants 2 and 10)',
    async () => {
      const holds = async (given: Life): Promise<void> => {
        const { outcomes, refusals, log } = await live(given);
        expect(refusals.filter((problem) => problem !== 'context_length_exceeded')).toEqual([]);
        if (given.honest === 100) expect(refusals).toEqual([]);
        expect(outcomes.filter((outcome) => !OUTCOMES.has(outcome))).toEqual([]);
        expect(outcomes).toHaveLength(given.messages.length);
        expect(brokenPairs(log)).toEqual([]);
      };
      await fc.assert(fc.asyncProperty(life, holds), { numRuns: RUNS });
    },
    120_000 + RUNS * 8_000,
  );
});
