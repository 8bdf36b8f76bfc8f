import { inputTokens, type MessagesReply, type MessagesRequest } from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tool.js';
import { brokenPairs } from '../openai/talk.js';
import { asks, startTalk, type Talk, type TalkOptions, tells, turnOf } from './talk.js';

let talk: Talk;
afterEach(() => talk.close());

const readLog = defineTool({
  name: 'read_log',
  help: 'Reads the log of the shearing.',
  parameters: z.object({ day: z.number() }),
  effect: 'pure',
  run: async ({ day }) => `Day ${day}. ${'The fleece of stall 7 weighs 1,234 grams. '.repeat(600)}The end.`,
});

const note = { content: 'Ada breeds alpacas in Cork.' };

/** The kinds of a turn, one after the other: what the model says to its first request, its second … */
const KINDS: readonly (readonly MessagesReply[])[] = [
  [tells('Hello. '.repeat(20))],
  [asks('archival_memory_insert', note), asks('conversation_search', { query: 'alpacas' }), tells('Noted.')],
  [asks('read_log', { day: 3 }), asks('page_in', { handle: 'm1' }), tells('A long day.')],
  [{ text: 'Plain text is an answer too. \n' }],
  [
    { calls: [{ name: 'send_message', input: '{"message":"half a sen' }], stop: 'max_tokens' },
    tells('Short.'),
  ],
  [{ text: 'I cannot help with that.', stop: 'refusal' }],
  [
    {
      text: 'Three at once.',
      calls: [
        { name: 'read_log', input: '{"day":1}' },
        { name: 'core_memory_append', input: JSON.stringify({ name: 'human', content: 'Ada.' }) },
        { name: 'no_such_function', input: '{}' },
      ],
    },
    tells('Done.'),
  ],
  [{ calls: [{ name: 'read_log', input: 'not json' }] }, { calls: [{ name: 'read_log' }] }, tells('Sorry.')],
  [{}, tells('The second time I spoke.')],
];

/** A model that says in each turn what its kind says, request by request; where it thinks, before everything it says. */
function model(thinks: boolean): (request: MessagesRequest) => MessagesReply {
  const steps = new Map<number, number>();
  return (request) => {
    const turn = turnOf(request);
    const step = steps.get(turn) ?? 0;
    steps.set(turn, step + 1);
    const reply = KINDS[turn % KINDS.length]?.[step] ?? tells('There is nothing more to say.');
    const mayThink = thinks && (request.thinking?.type ?? 'adaptive') !== 'disabled';
    return mayThink ? { thinking: `In turn ${turn}: which stall?`, redacted: 'hidden', ...reply } : reply;
  };
}

const ANSWERED = [
  'answered',
  'answered',
  'answered',
  'answered',
  'answered',
  'refused',
  'answered',
  'answered',
];

const MODELS: Record<string, Partial<TalkOptions> & { thinks: boolean }> = {
  'that does not think': { thinks: false },
  'with a budget to think': {
    thinks: true,
    window: 16_384,
    processorOptions: { thinking: 1_024, maxOutput: 2_000 },
    rules: { thinking: 'budget' },
  },
  'that always thinks': {
    thinks: true,
    window: 12_288,
    processorOptions: { model: 'claude-opus-5' },
    rules: { alwaysThinks: true, thinking: 'adaptive', prefill: false },
  },
  'that binds its thinking to its prefix': {
    thinks: true,
    window: 12_288,
    processorOptions: { model: 'claude-opus-5-5' },
    rules: { alwaysThinks: true, bindsThinking: true, thinking: 'adaptive', prefill: false },
  },
};

describe.each(Object.entries(MODELS))(
  'a conversation on a model of Anthropic %s',
  (_title, { thinks, ...options }) => {
    it('of dozens of turns in a small window sends only what the service accepts, whatever was evicted, and counts at least what it counts (A01, A02, A09, A10, A13, A22, A23, A30, A34)', async () => {
      let flushes = 0;
      const counted: number[] = [];
      talk = await startTalk({
        reply: model(thinks),
        tools: [readLog],
        onRequest: (_, __, tokens) => void counted.push(tokens),
        ...options,
      });
      talk.kernel.bus.on('flush-finished', () => (flushes += 1));
      const outcomes: string[] = [];
      for (let turn = 0; turn < 27; turn += 1) {
        const text = `Turn ${turn}: the alpaca of stall ${turn * 7} was sheared. ${'Its fleece weighs 13 grams. '.repeat(30)}`;
        outcomes.push((await talk.agent.send(text)).outcome);
      }
      expect(talk.refusals()).toEqual([]);
      expect(flushes).toBeGreaterThanOrEqual(2);
      expect(outcomes).toEqual(Array.from({ length: 27 }, (_, turn) => ANSWERED[turn % 9] ?? 'answered'));
      expect(brokenPairs(await talk.log())).toEqual([]);
      const reported = talk.chats().map(inputTokens);
      expect(counted).toHaveLength(reported.length);
      expect(reported.filter((tokens, index) => tokens > (counted[index] ?? 0))).toEqual([]);
    });
  },
);

describe('thinking on Anthropic', () => {
  it('is in the log byte for byte, and with the turn that goes on (A13)', async () => {
    talk = await startTalk({
      reply: (_, n) =>
        n === 0 ? asks('conversation_search', { query: 'wool' }, { thinking: 'hm 🤔' }) : tells('Nothing.'),
      processorOptions: { thinking: 1_024, maxOutput: 2_000 },
      window: 16_384,
    });
    await talk.agent.send('What of the wool?');
    const kept = (await talk.log()).flatMap(({ message }) =>
      message.parts.filter(({ type }) => type === 'thinking'),
    );
    expect(kept).toMatchObject([
      { text: 'hm 🤔', opaque: { driver: 'processor-anthropic', model: 'claude-haiku-4-5' } },
    ]);
    const blocks = talk
      .chats()[1]
      ?.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    expect(blocks?.find(({ type }) => type === 'thinking')).toMatchObject({ thinking: 'hm 🤔' });
    expect(talk.refusals()).toEqual([]);
  });
});
