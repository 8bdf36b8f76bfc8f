import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { promptTokens, textTokens, tokensOf } from '../src/openai/prompt.js';
import type { ChatMessage, ChatRequest } from '../src/openai/types.js';
import { type CacheOptions, createPrefixCache } from '../src/openai/usage.js';
import { specSchemas, startOpenAIDouble, type OpenAIDouble, type OpenAIDoubleOptions } from '../src/index.js';

let double: OpenAIDouble | undefined;
afterEach(async () => {
  await double?.close();
  double = undefined;
});

async function clientOf(options: OpenAIDoubleOptions, apiKey = 'test-key'): Promise<OpenAI> {
  double = await startOpenAIDouble(options);
  return new OpenAI({ apiKey, baseURL: double.baseURL, maxRetries: 0 });
}

function cacheOf(options: CacheOptions) {
  const cache = createPrefixCache(options);
  return ({ model, prompt_cache_key: cacheKey = '', ...request }: ChatRequest, apiKey: string) =>
    cache.take({ apiKey, model, cacheKey, tokens: tokensOf({ model, ...request }) });
}

const hello = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hello' }] };

describe('the official SDK reads from the double', () => {
  it('a streamed answer with text, calls and usage', async () => {
    const client = await clientOf({
      script: [
        { text: 'Let me look.', calls: [{ name: 'look', arguments: '{"at":"the sky"}' }, { name: 'wait' }] },
      ],
    });
    const stream = client.chat.completions.stream({ ...hello, stream_options: { include_usage: true } });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe('Let me look.');
    const calls = final.choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => call.type === 'function' && call.function.arguments)).toEqual([
      '{"at":"the sky"}',
      '',
    ]);
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
    expect(final.usage?.total_tokens).toBeGreaterThan(10);
  });

  it('an answer in one piece, and the list of models', async () => {
    const client = await clientOf({ script: [{ text: 'Hi.' }], models: ['one', 'two'] });
    const whole = await client.chat.completions.create(hello);
    expect(whole.choices[0]?.message.content).toBe('Hi.');
    expect(specSchemas().problems('CreateChatCompletionResponse', whole)).toEqual([]);
    const models = await client.models.list();
    expect(models.data.map((model) => model.id)).toEqual(['one', 'two']);
  });

  it('chunks that are as the published description says', async () => {
    const client = await clientOf({ script: [{ text: 'a b', calls: [{ name: 'look', arguments: '{}' }] }] });
    const stream = await client.chat.completions.create({
      ...hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream)
      expect(specSchemas().problems('CreateChatCompletionStreamResponse', chunk)).toEqual([]);
  });

  it('characters whose bytes come in two packets (A29)', async () => {
    const client = await clientOf({
      script: [{ text: 'grüße 🌍 世界', fault: { kind: 'split', bytes: 1 } }],
    });
    const stream = client.chat.completions.stream(hello);
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe('grüße 🌍 世界');
  });

  it('a refusal of the request, with the reason', async () => {
    const client = await clientOf({});
    const empty = { ...hello, messages: [{ role: 'user' as const, content: '' }] };
    await expect(client.chat.completions.create(empty)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching('must not be empty'),
    });
    expect(double?.requests[0]?.problems).toHaveLength(1);
  });

  it('that input and output together do not fit (A37)', async () => {
    const client = await clientOf({ window: 100, script: [{ text: 'ok' }] });
    await expect(
      client.chat.completions.create({ ...hello, max_completion_tokens: 95 }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    await client.chat.completions.create({ ...hello, max_completion_tokens: 80 });
  });

  it('that the key is wrong', async () => {
    const client = await clientOf({ apiKey: 'right-key' }, 'wrong-key');
    await expect(client.chat.completions.create(hello)).rejects.toMatchObject({ status: 401 });
  });

  it('each fault as an error', async () => {
    const client = await clientOf({
      script: [
        { text: 'half an answer', fault: { kind: 'destroy', after: 2 } },
        { text: 'half an answer', fault: { kind: 'error-event', after: 2 } },
        { fault: { kind: 'status', status: 429, headers: { 'retry-after': '3' } } },
      ],
    });
    const read = async (): Promise<void> => {
      const stream = await client.chat.completions.create({ ...hello, stream: true });
      for await (const chunk of stream) void chunk;
    };
    await expect(read()).rejects.toThrow(/terminated|aborted|closed|premature/i);
    await expect(read()).rejects.toThrow(/overloaded/);
    await expect(read()).rejects.toMatchObject({ status: 429 });
  });
});

describe('usage', () => {
  it('reports as cached what two prompts really share, in steps of 128 from 1,024', async () => {
    const client = await clientOf({ reply: () => ({ text: 'ok' }) });
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(150);
    const ask = async (first: string, last: string): Promise<number> => {
      const messages = [first, last].map((content) => ({ role: 'user' as const, content }));
      const answer = await client.chat.completions.create({ ...hello, messages });
      return answer.usage?.prompt_tokens_details?.cached_tokens ?? -1;
    };
    expect(await ask(long, 'one')).toBe(0);
    const cached = await ask(long, 'two');
    expect(cached).toBeGreaterThanOrEqual(1_024);
    expect((cached - 1_024) % 128).toBe(0);
    expect(await ask(`x${long}`, 'two')).toBe(0);
  });

  it('shares, token by token, what stands in front: tools, then messages; not marks that differ', () => {
    const take = cacheOf({ minimum: 0, step: 1 });
    const user = (content: string) => ({ role: 'user' as const, content });
    const request = (...messages: ChatRequest['messages']): ChatRequest => ({ model: 'm', messages });
    const first = request({ role: 'system', content: 'You are.' }, user('one two three'));
    expect(take(first, '')).toBe(0);
    expect(take(first, '')).toBe(promptTokens(first));
    // Up to the third word: 4 and 3 tokens of the system message, 3 marks, 2 words.
    expect(take(request(first.messages[0] as ChatMessage, user('one two four')), '')).toBe(12);
    // Another role begins otherwise, and so does a tool in front.
    const system = { role: 'system' as const, content: 'one two three' };
    expect(take(request(first.messages[0] as ChatMessage, system), '')).toBe(7);
    const tools = [{ type: 'function' as const, function: { name: 'f' } }];
    expect(take({ ...first, tools }, '')).toBe(0);
  });

  it('shares nothing between keys, models and cache keys, and forgets the oldest prompts', () => {
    const take = cacheOf({ minimum: 0, step: 1, prompts: 4 });
    const request: ChatRequest = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };
    expect(take(request, 'a')).toBe(0);
    expect(take(request, 'b')).toBe(0);
    expect(take({ ...request, model: 'n' }, 'a')).toBe(0);
    expect(take({ ...request, prompt_cache_key: 'k' }, 'a')).toBe(0);
    expect(take(request, 'a')).toBe(promptTokens(request));
    for (const name of ['x', 'y', 'z', 'w']) take(request, name);
    expect(take(request, 'a')).toBe(0);
  });

  it('counts the same in one piece and in order', () => {
    const messages: ChatMessage[] = [
      {
        role: 'user',
        name: 'ada',
        content: [
          { type: 'text', text: 'x'.repeat(25_000) },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
    ];
    const image = 765;
    const words =
      textTokens('x'.repeat(25_000)) +
      textTokens('ada') +
      textTokens('f') +
      textTokens('{}') +
      textTokens('done');
    expect(promptTokens({ model: 'm', messages })).toBe(3 + 3 * 4 + 1 + 6 + image + words);
  });
});

describe('closing', () => {
  it('ends connections that wait for an answer which never comes', async () => {
    const client = await clientOf({ script: [{ fault: { kind: 'no-answer' } }] });
    const waiting = client.chat.completions.create(hello);
    const failed = expect(waiting).rejects.toThrow();
    while (double?.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await double?.close();
    await failed;
    expect(double?.connections()).toBe(0);
  });
});
