import { type ChatRequest, type DoubleReply, promptTokens } from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tool.js';
import { asks, brokenPairs, place, startTalk, type Talk, type TalkOptions, tells } from './talk.js';

let talk: Talk;
afterEach(() => talk.close());

const readLog = defineTool({
  name: 'read_log',
  help: 'Reads the log of the shearing.',
  parameters: z.object({ day: z.number() }),
  effect: 'pure',
  run: async ({ day }) => `Day ${day}. ${'The fleece of stall 7 weighs 1,234 grams. '.repeat(2_000)}The end.`,
});

const note = { content: 'Ada breeds alpacas in Cork.' };

/** The kinds of a turn, one after the other: what the model says to its first request, its second … */
const KINDS: readonly (readonly DoubleReply[])[] = [
  [tells('Hello. '.repeat(20))],
  [asks('archival_memory_insert', note), asks('conversation_search', { query: 'alpacas' }), tells('Noted.')],
  [asks('read_log', { day: 3 }), asks('page_in', { handle: 'm1' }), tells('A long day.')],
  [{ thinking: 'I should be brief.', text: 'Plain text is an answer too.' }],
  [
    { calls: [{ name: 'send_message', arguments: '{"message":"half a sen' }], finish: 'length' },
    tells('Short.'),
  ],
  [{ refusal: 'I cannot help with that.' }],
  [
    {
      calls: [
        { name: 'read_log', arguments: '{"day":1}' },
        { name: 'core_memory_append', arguments: JSON.stringify({ name: 'human', content: 'Ada.' }) },
        { name: 'no_such_function', arguments: '{}' },
      ],
    },
    tells('Three at once.'),
  ],
  [
    { calls: [{ name: 'read_log', arguments: 'not json' }] },
    { calls: [{ name: 'read_log' }] },
    tells('Sorry.'),
  ],
  [{}, tells('The second time I spoke.')],
];

/** A model that says in each turn what its kind says, request by request. */
function model(): (request: ChatRequest) => DoubleReply {
  const steps = new Map<number, number>();
  return (request) => {
    const turn = Number(/Turn (\d+)/.exec(place(request).text)?.[1] ?? 0);
    const step = steps.get(turn) ?? 0;
    steps.set(turn, step + 1);
    return KINDS[turn % KINDS.length]?.[step] ?? tells('There is nothing more to say.');
  };
}

describe('a conversation on OpenAI', () => {
  it('of dozens of turns in a small window sends only what the service accepts, whatever was evicted (A02, A09, A10, A22, A23)', async () => {
    talk = await startTalk({ reply: model(), tools: [readLog] });
    let flushes = 0;
    talk.kernel.bus.on('flush-finished', () => (flushes += 1));
    const outcomes: string[] = [];
    for (let turn = 0; turn < 54; turn += 1) {
      const text = `Turn ${turn}: the alpaca of stall ${turn * 7} was sheared, its fleece weighs ${turn * 13} grams.`;
      outcomes.push((await talk.agent.send(text)).outcome);
    }
    expect(talk.refusals()).toEqual([]);
    expect(flushes).toBeGreaterThanOrEqual(3);
    const ofAKind = [
      'answered',
      'answered',
      'answered',
      'answered',
      'answered',
      'refused',
      'answered',
      'answered',
    ];
    expect(outcomes).toEqual(Array.from({ length: 54 }, (_, turn) => ofAKind[turn % 9] ?? 'answered'));
    expect(brokenPairs(await talk.log())).toEqual([]);
  });

  it('counts at least what the service counts, for every request (A34, invariant 1)', async () => {
    const counted: number[] = [];
    const onRequest: TalkOptions['onRequest'] = (_, __, tokens) => counted.push(tokens);
    talk = await startTalk({ reply: model(), tools: [readLog], onRequest });
    for (let turn = 0; turn < 18; turn += 1)
      await talk.agent.send(`Turn ${turn}: ${'一只羊驼 🦙 '.repeat(turn)}`);
    const reported = talk.chats().map(promptTokens);
    expect(counted).toHaveLength(reported.length);
    expect(reported.filter((tokens, index) => tokens > (counted[index] ?? 0))).toEqual([]);
  });
});
