import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { startAnthropicDouble, type AnthropicDouble, type AnthropicDoubleOptions } from '../../src/index.js';

let double: AnthropicDouble | undefined;
afterEach(async () => {
  await double?.close();
  double = undefined;
});

async function clientOf(options: AnthropicDoubleOptions, apiKey = 'test-key'): Promise<Anthropic> {
  double = await startAnthropicDouble(options);
  return new Anthropic({ apiKey, baseURL: double.baseURL, maxRetries: 0 });
}

const hello = {
  model: 'claude-opus-4-8',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'hello' }],
};
const tools = [{ name: 'look', input_schema: { type: 'object' as const } }];
const thinking = { type: 'enabled', budget_tokens: 1_024 } as const;
const thoughtful = { ...hello, max_tokens: 2_000, tools, thinking };

describe('the official SDK reads from the double', () => {
  it('a streamed answer with thinking, text, calls and usage, by its own helper', async () => {
    const client = await clientOf({
      script: [
        {
          thinking: 'The sky, then.',
          redacted: 'secret',
          text: 'Let me look.',
          calls: [{ name: 'look', input: '{"at":"the sky"}' }, { name: 'look' }],
        },
      ],
    });
    const seen: string[] = [];
    const stream = client.messages.stream(thoughtful).on('text', (delta) => seen.push(delta));
    const final = await stream.finalMessage();
    expect(seen.join('')).toBe('Let me look.');
    expect(final.content).toMatchObject([
      { type: 'thinking', thinking: 'The sky, then.', signature: expect.stringMatching(/^\w+\.\w+$/) },
      { type: 'redacted_thinking', data: expect.any(String) },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_0_3', input: { at: 'the sky' } },
      { type: 'tool_use', id: 'toolu_0_4', input: {} },
    ]);
    expect(final.stop_reason).toBe('tool_use');
    expect(final.usage.input_tokens).toBeGreaterThan(300);
    expect(final.usage.output_tokens).toBeGreaterThan(10);
  });

  it('what it signed, and takes it back in the turn that is continued (A13)', async () => {
    const client = await clientOf({
      script: [{ thinking: 'hm', redacted: 'x', calls: [{ name: 'look', input: '{}' }] }, { text: 'Blue.' }],
    });
    const first = await client.messages.stream(thoughtful).finalMessage();
    const results = [{ type: 'tool_result' as const, tool_use_id: 'toolu_0_2', content: 'blue' }];
    const second = await client.messages.create({
      ...thoughtful,
      messages: [
        ...hello.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: results },
      ],
    });
    expect(second.content).toMatchObject([{ type: 'text', text: 'Blue.' }]);
    expect(double?.requests.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('an answer in one piece, a count, and the list of models', async () => {
    const client = await clientOf({ script: [{ text: 'Hi.' }], models: ['one', 'two'] });
    const whole = await client.messages.create(hello);
    expect(whole).toMatchObject({ content: [{ type: 'text', text: 'Hi.' }], stop_reason: 'end_turn' });
    const { max_tokens: _, ...input } = hello;
    const { input_tokens } = await client.messages.countTokens(input);
    expect(input_tokens).toBe(whole.usage.input_tokens);
    const models = await client.models.list();
    expect(models.data.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  it('characters whose bytes come in two packets (A29)', async () => {
    const client = await clientOf({
      script: [{ text: 'grüße 🌍 世界', fault: { kind: 'split', bytes: 1 } }],
    });
    const final = await client.messages.stream(hello).finalMessage();
    expect(final.content).toMatchObject([{ text: 'grüße 🌍 世界' }]);
  });

  it.each(['refusal', 'max_tokens', 'pause_turn', 'model_context_window_exceeded'] as const)(
    'that it stopped by %s',
    async (stop) => {
      const client = await clientOf({ script: [{ text: 'x', stop }] });
      expect((await client.messages.stream(hello).finalMessage()).stop_reason).toBe(stop);
    },
  );

  it('a refusal of the request, with the reason', async () => {
    const client = await clientOf({});
    const empty = { ...hello, messages: [{ role: 'user' as const, content: '' }] };
    await expect(client.messages.create(empty)).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringMatching('non-empty'),
    });
    expect(double?.requests[0]?.problems).toHaveLength(1);
  });

  it('that input, or input and output together, do not fit (A37)', async () => {
    const client = await clientOf({ rules: { window: 120 }, script: [{ text: 'ok' }] });
    await expect(client.messages.create({ ...hello, max_tokens: 119 })).rejects.toThrow(
      /exceed context limit/,
    );
    const long = [{ role: 'user' as const, content: 'word '.repeat(200) }];
    await expect(client.messages.create({ ...hello, messages: long })).rejects.toThrow(/prompt is too long/);
    await client.messages.create({ ...hello, max_tokens: 80 });
  });

  it('that the key is wrong, and that the place is', async () => {
    const client = await clientOf({ apiKey: 'right-key' }, 'wrong-key');
    await expect(client.messages.create(hello)).rejects.toMatchObject({
      status: 401,
      type: 'authentication_error',
    });
    const lost = new Anthropic({ apiKey: 'right-key', baseURL: `${double?.origin}/v1`, maxRetries: 0 });
    await expect(lost.messages.create(hello)).rejects.toMatchObject({ status: 404 });
  });

  it('each fault as an error', async () => {
    const client = await clientOf({
      script: [
        { text: 'half an answer', fault: { kind: 'destroy', after: 4 } },
        { text: 'half an answer', fault: { kind: 'error-event', after: 4 } },
        { fault: { kind: 'status', status: 429, headers: { 'retry-after': '3' } } },
        { fault: { kind: 'status', status: 529 } },
      ],
    });
    const read = () => client.messages.stream(hello).finalMessage();
    await expect(read()).rejects.toThrow(/terminated|aborted|closed|premature/i);
    await expect(read()).rejects.toMatchObject({ type: 'overloaded_error' });
    await expect(read()).rejects.toMatchObject({ status: 429, type: 'rate_limit_error' });
    await expect(read()).rejects.toMatchObject({ status: 529, type: 'overloaded_error' });
  });
});

describe('usage', () => {
  const mark = { cache_control: { type: 'ephemeral' as const } };
  const long = (word: string) => `${word} ${'The quick brown fox jumps over the lazy dog. '.repeat(150)}`;
  const blocks = (count: number, marked: number) =>
    Array.from({ length: count }, (_, at) => ({
      type: 'text' as const,
      text: `${at === 0 ? long('a') : 'more'} ${at}`,
      ...(at === marked ? mark : {}),
    }));
  const usage = async (client: Anthropic, content: ReturnType<typeof blocks>) => {
    const { usage: told } = await client.messages.create({ ...hello, messages: [{ role: 'user', content }] });
    return [
      told.input_tokens,
      told.cache_creation_input_tokens ?? -1,
      told.cache_read_input_tokens ?? -1,
    ] as const;
  };

  it('tells what was written to the cache and read from it, besides the input (A36)', async () => {
    const client = await clientOf({ reply: () => ({ text: 'ok' }) });
    const [plain, written, read] = await usage(client, blocks(2, 0));
    expect([read, written > 1_500, plain < 20]).toEqual([0, true, true]);
    expect(await usage(client, blocks(2, 0))).toEqual([plain, 0, written]);
    // Another text behind the mark is no other prefix.
    expect((await usage(client, blocks(3, 0)))[2]).toBe(written);
    expect((await usage(client, [{ type: 'text', text: long('b'), ...mark }]))[2]).toBe(0);
  });

  it('writes only what is new behind what it read', async () => {
    const client = await clientOf({ reply: () => ({ text: 'ok' }) });
    const [, first] = await usage(client, blocks(1, 0));
    const [, second, read] = await usage(client, blocks(4, 3));
    expect(read).toBe(first);
    expect(second).toBeLessThan(20);
  });

  it('looks back twenty blocks from a mark, and no further', async () => {
    const client = await clientOf({ reply: () => ({ text: 'ok' }) });
    await usage(client, blocks(1, 0));
    expect((await usage(client, blocks(20, 19)))[2]).toBeGreaterThan(0);
    const other = await clientOf({ reply: () => ({ text: 'ok' }) });
    await usage(other, blocks(1, 0));
    expect((await usage(other, blocks(21, 20)))[2]).toBe(0);
  });

  it('forgets after five minutes without a hit, after an hour when asked to', async () => {
    let time = 0;
    const client = await clientOf({ reply: () => ({ text: 'ok' }), now: () => time });
    const read = async (content = blocks(1, 0)) => (await usage(client, content))[2];
    await read();
    time += 4 * 60_000;
    expect(await read()).toBeGreaterThan(0);
    time += 4 * 60_000;
    expect(await read()).toBeGreaterThan(0);
    time += 5 * 60_000;
    expect(await read()).toBe(0);
    const kept = [
      {
        type: 'text' as const,
        text: long('c'),
        cache_control: { type: 'ephemeral' as const, ttl: '1h' as const },
      },
    ];
    await read(kept as never);
    time += 59 * 60_000;
    expect(await read(kept as never)).toBeGreaterThan(0);
  });

  it('caches nothing short, nothing for another key and nothing that is not marked', async () => {
    const client = await clientOf({ reply: () => ({ text: 'ok' }) });
    const short = [{ type: 'text' as const, text: 'short', ...mark }];
    expect((await usage(client, short))[1]).toBe(0);
    await usage(client, blocks(1, 0));
    const other = new Anthropic({ apiKey: 'other', baseURL: double?.baseURL ?? '', maxRetries: 0 });
    expect((await usage(other, blocks(1, 0)))[2]).toBe(0);
    expect((await usage(client, blocks(1, 9)))[2]).toBe(0);
  });
});

describe('closing', () => {
  it('ends connections that wait for an answer which never comes', async () => {
    const client = await clientOf({ script: [{ fault: { kind: 'no-answer' } }] });
    const waiting = client.messages.create(hello);
    const failed = expect(waiting).rejects.toThrow();
    while (double?.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await double?.close();
    await failed;
    expect(double?.connections()).toBe(0);
  });
});
