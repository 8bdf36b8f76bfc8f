import { conformProcessor } from '@pagefault/conformance';
import { createInstance, type DoubleInstance } from './instance.js';
import { getEventListeners } from 'node:events';
import {
  startOpenAIDouble,
  type DoubleReply,
  type OpenAIDouble,
  type OpenAIDoubleOptions,
} from '@pagefault/doubles';
import type { ProcessorDriver, ProcessorEvent } from '@pagefault/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAIProcessor, type OpenAIProcessorOptions } from '../src/index.js';
import type { Api } from '../src/options.js';
import { collect, hello, instantTiming, message, replyOf, request, text } from './helpers.js';

describe.each<Api>(['chat', 'responses'])('by %s', (api) => {
  conformProcessor({
    name: 'processor-openai',
    create: () => createInstance({ api }),
    destroy: (instance) => (instance as DoubleInstance).end(),
    unopened: () => createOpenAIProcessor({ model: 'm', baseURL: 'http://127.0.0.1:9', api }),
  });
});

let double: OpenAIDouble | undefined;
let processor: ProcessorDriver | undefined;
afterEach(async () => {
  await processor?.close();
  await double?.close();
});

async function start(
  replies: OpenAIDoubleOptions | readonly DoubleReply[],
  options: Partial<OpenAIProcessorOptions> = {},
): Promise<ProcessorDriver> {
  double = await startOpenAIDouble('length' in replies ? { script: replies } : replies);
  processor = createOpenAIProcessor({
    model: 'gpt-4o',
    baseURL: double.origin,
    timing: instantTiming(),
    ...options,
  });
  await processor.open();
  return processor;
}

const tries = (): number => double?.requests.length ?? 0;
const say = (value: string): DoubleReply => ({ text: value });

describe('a cycle', () => {
  it('gives deltas that add up to the reply, and one finish at the end', async () => {
    const driver = await start([
      { text: 'Let me look 🌍.', calls: [{ name: 'look', arguments: '{"at":"sky"}' }] },
    ]);
    const events = await collect(driver.infer(hello));
    const joined = (type: string): string =>
      events.map((event) => (event.type === type && 'delta' in event ? event.delta : '')).join('');
    expect(joined('text')).toBe('Let me look 🌍.');
    expect(joined('arguments')).toBe('{"at":"sky"}');
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
    const last = events.at(-1) as ProcessorEvent & { type: 'finish' };
    expect(last.reply.reason).toBe('calls');
    expect(last.reply.parts).toMatchObject([
      { text: 'Let me look 🌍.' },
      { name: 'look', arguments: '{"at":"sky"}' },
    ]);
    expect(last.reply.usage.plain).toBeGreaterThan(0);
  });

  it('goes on with results, and reports what the provider had cached (A36)', async () => {
    const driver = await start([{ calls: [{ name: 'look', arguments: '{}' }] }, say('Blue.')]);
    const long = message('user', text('The quick brown fox jumps over the lazy dog. '.repeat(200)));
    const first = await replyOf(driver.infer(request([long])));
    const id = first.parts[0]?.type === 'call' ? first.parts[0].callId : '';
    const result = { type: 'result', callId: id, name: 'look', text: '' } as const;
    const messages = [long, message('assistant', ...first.parts), message('tool', result)];
    const second = await replyOf(driver.infer(request(messages)));
    expect(second.usage.cached).toBeGreaterThanOrEqual(1_024);
    expect(second.usage.plain).toBeLessThan(first.usage.plain);
  });

  it('reads characters that are split between packets (A29)', async () => {
    const driver = await start([{ text: 'grüße 🌍 世界', fault: { kind: 'split', bytes: 1 } }]);
    expect((await replyOf(driver.infer(hello))).parts).toEqual([{ type: 'text', text: 'grüße 🌍 世界' }]);
  });

  it('ends as refused, once, without a second try (A30)', async () => {
    const filtered = {
      kind: 'status',
      status: 400,
      body: { error: { message: 'filtered', code: 'content_filter' } },
    } as const;
    const driver = await start([{ refusal: 'I cannot.' }, { finish: 'content_filter' }, { fault: filtered }]);
    for (const parts of [[{ type: 'text', text: 'I cannot.' }], [], []])
      expect(await replyOf(driver.infer(hello))).toMatchObject({ reason: 'refused', parts });
    expect(tries()).toBe(3);
  });

  it('works with a server that reports no usage: all zero', async () => {
    const driver = await start([{ text: 'ok', usage: null }]);
    expect((await replyOf(driver.infer(hello))).usage).toEqual({
      plain: 0,
      cached: 0,
      written: 0,
      output: 0,
    });
  });

  it.each(['', '/', '/v1', '/v1/'])('reaches the server by its address with "%s" (E05)', async (end) => {
    double = await startOpenAIDouble({ script: [say('ok')] });
    processor = createOpenAIProcessor({ model: 'gpt-4o', baseURL: double.origin + end });
    await processor.open();
    await collect(processor.infer(hello));
    expect(double.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  });

  it('goes through a gateway that has the API elsewhere (E05)', async () => {
    double = await startOpenAIDouble({ script: [say('ok')], basePath: '/team/a/openai' });
    processor = createOpenAIProcessor({ model: 'gpt-4o', baseURL: double.baseURL });
    await processor.open();
    expect((await replyOf(processor.infer(hello))).reason).toBe('stop');
  });
});

describe('a failure', () => {
  it.each<[string, DoubleReply]>([
    ['status 429', { fault: { kind: 'status', status: 429 } }],
    ['status 503', { fault: { kind: 'status', status: 503 } }],
    ['an error in a stream of status 200 (C13)', { fault: { kind: 'error-event', after: 1 } }],
    ['a socket that dies before any text', { text: 'x', fault: { kind: 'destroy', after: 1 } }],
    ['a stream that ends before any text', { text: 'x', fault: { kind: 'end', after: 1 } }],
  ])('before anything was shown is tried again: %s', async (_title, fault) => {
    const driver = await start([fault, fault, say('ok')]);
    expect((await replyOf(driver.infer(hello))).parts).toEqual([{ type: 'text', text: 'ok' }]);
    expect(tries()).toBe(3);
  });

  it.each<[string, DoubleReply, string]>([
    ['error event', { text: 'one two three', fault: { kind: 'error-event', after: 3 } }, 'E_OVERLOADED'],
    ['dead socket', { text: 'one two three', fault: { kind: 'destroy', after: 3 } }, 'E_OVERLOADED'],
    ['early end', { text: 'one two three', fault: { kind: 'end', after: 3 } }, 'E_PROTOCOL'],
    ['no finish_reason', { text: 'one two three', finish: null }, 'E_PROTOCOL'],
  ])(
    'after some text is thrown, and the half answer is never a reply (C14): %s',
    async (_title, fault, code) => {
      const driver = await start([fault, say('ok')]);
      const shown: ProcessorEvent[] = [];
      const reading = (async () => {
        for await (const event of driver.infer(hello)) if (event.type !== 'usage') shown.push(event);
      })();
      await expect(reading).rejects.toMatchObject({ code });
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.every(({ type }) => type === 'text')).toBe(true);
      expect(tries()).toBe(1);
    },
  );

  it('waits as long as the server says (C17)', async () => {
    const timing = instantTiming();
    const limited = (headers: Record<string, string>): DoubleReply => ({
      fault: { kind: 'status', status: 429, headers },
    });
    const replies = [
      limited({ 'retry-after': '3' }),
      limited({ 'retry-after-ms': '70' }),
      limited({ 'retry-after': new Date(9_000).toUTCString() }),
      limited({ 'retry-after': '1000000000' }),
      limited({}),
      say('ok'),
    ];
    const driver = await start(replies, { timing, attempts: 6 });
    await collect(driver.infer(hello));
    expect(timing.slept).toEqual([3_000, 70, 9_000, 60_000, 4_000]);
  });

  it('that would come again is not tried again (C18)', async () => {
    const driver = await start([]);
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_REQUEST', retryable: false });
    expect(tries()).toBe(1);
  });

  it('is one layer of retries: no more requests than tries (C16)', async () => {
    const driver = await start(
      { reply: () => ({ fault: { kind: 'status', status: 500 } }) },
      { attempts: 3 },
    );
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({
      code: 'E_OVERLOADED',
      retryable: true,
    });
    expect(tries()).toBe(3);
  });

  it('by length says so, for the kernel to reclaim (A37)', async () => {
    const driver = await start({ window: 60, script: [say('ok')] });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_CONTEXT_OVERFLOW' });
    expect((await replyOf(driver.infer(request(hello.messages, { maxOutput: 20 })))).reason).toBe('stop');
  });

  it('of the key names no part of it (E12)', async () => {
    const driver = await start({ apiKey: 'the-right-one' }, { apiKey: 'sk-the-wrong-key-1234' });
    const failed = collect(driver.infer(hello));
    await expect(failed).rejects.toMatchObject({
      code: 'E_AUTH',
      hint: expect.stringMatching('OPENAI_API_KEY'),
    });
    await expect(failed).rejects.not.toThrow(/1234|the-wrong/);
  });

  it('of the connection says where to look', async () => {
    const driver = await start([], { attempts: 1 });
    await double?.close();
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({
      code: 'E_OVERLOADED',
      hint: expect.stringMatching('baseURL'),
    });
  });
});

describe('silence (C16)', () => {
  it.each<[string, DoubleReply]>([
    ['without headers', { fault: { kind: 'no-answer' } }],
    ['after the headers', { fault: { kind: 'silence', after: 0 } }],
    ['in the middle of the text', { text: 'one two three', fault: { kind: 'silence', after: 3 } }],
  ])('ends after the idle time: %s', async (_title, reply) => {
    const driver = await start([reply], { idleTimeout: 50, attempts: 1 });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_TIMEOUT', retryable: true });
  });

  it('that is broken now and then ends at the deadline', async () => {
    const slow = { text: 'x '.repeat(1_000), fault: { kind: 'slow', every: 20 } } as const;
    const driver = await start([slow], { idleTimeout: 10_000, deadline: 200, attempts: 1 });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  });

  it('ends although the client does not listen to any signal', async () => {
    const deaf = { chat: { completions: { create: () => new Promise<never>(() => undefined) } } };
    const driver = await start([], { client: deaf, idleTimeout: 20, attempts: 2 });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  });
});

describe('abort (C20)', () => {
  it.each<[string, DoubleReply]>([
    ['before the first event', { fault: { kind: 'silence', after: 0 } }],
    [
      'in the middle of a call',
      { calls: [{ name: 'look', arguments: '{"a":"b"}' }], fault: { kind: 'silence', after: 2 } },
    ],
  ])('%s ends the cycle, and the next one works', async (_title, reply) => {
    const controller = new AbortController();
    const driver = await start({
      reply: (_request, n) => {
        if (n === 0) setImmediate(() => controller.abort());
        return n === 0 ? reply : say('ok');
      },
    });
    await expect(collect(driver.infer(hello, controller.signal))).rejects.toMatchObject({
      code: 'E_ABORTED',
    });
    expect((await replyOf(driver.infer(hello))).reason).toBe('stop');
  });

  it('beforehand sends nothing', async () => {
    const driver = await start([say('ok')]);
    await expect(collect(driver.infer(hello, AbortSignal.abort()))).rejects.toMatchObject({
      code: 'E_ABORTED',
    });
    expect(tries()).toBe(0);
  });

  it('leaves no listener on a signal that serves many cycles (C19)', async () => {
    const { signal } = new AbortController();
    const driver = await start({
      reply: (_request, n) => (n % 2 === 0 ? { fault: { kind: 'status', status: 503 } } : say('ok')),
    });
    for (let cycle = 0; cycle < 20; cycle += 1) {
      for await (const event of driver.infer(hello, signal)) {
        expect(event.type).toBeDefined();
        expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(2);
      }
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('by a reader that stops reading ends the request', async () => {
    const { signal } = new AbortController();
    const driver = await start([{ text: 'one two three', fault: { kind: 'silence', after: 3 } }]);
    for await (const event of driver.infer(hello, signal)) {
      expect(event.type).toBe('text');
      break;
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    while ((double?.connections() ?? 0) > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('the life of the driver', () => {
  it('refuses work before open and after close, and takes both twice', async () => {
    const driver = createOpenAIProcessor({ model: 'gpt-4o', baseURL: 'http://127.0.0.1:9' });
    await driver.close();
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await driver.open();
    await driver.open();
    await driver.close();
    await driver.close();
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });

  it('ends what is under way when it is closed', async () => {
    const driver = await start([{ text: 'one two', fault: { kind: 'silence', after: 3 } }]);
    const closing = async (): Promise<void> => {
      for await (const event of driver.infer(hello)) if (event.type === 'text') void driver.close();
    };
    await expect(closing()).rejects.toMatchObject({ code: 'E_ABORTED' });
  });

  it('takes a client, or a function that gives one', async () => {
    const { default: OpenAI } = await import('openai');
    double = await startOpenAIDouble({ reply: () => say('ok') });
    const client = new OpenAI({ apiKey: 'k', baseURL: double.baseURL });
    for (const given of [client, async () => Promise.resolve(client)]) {
      processor = createOpenAIProcessor({ model: 'gpt-4o', client: given });
      await processor.open();
      expect((await replyOf(processor.infer(hello))).reason).toBe('stop');
    }
  });

  it('counts without being open, and never throws (A31)', async () => {
    const driver = createOpenAIProcessor({ model: 'gpt-4o', baseURL: 'http://127.0.0.1:9' });
    const counts = await driver.count([
      { kind: 'system', text: '<|endoftext|>\ud800' },
      { kind: 'message', message: message('user', text('hello')) },
    ]);
    expect(counts.every((count) => Number.isInteger(count) && count > 0)).toBe(true);
  });

  it('takes nothing from the environment', async () => {
    const saved = { ...process.env };
    process.env['OPENAI_API_KEY'] = 'from-the-environment';
    process.env['OPENAI_ORG_ID'] = 'from-the-environment';
    process.env['OPENAI_BASE_URL'] = 'http://127.0.0.1:9';
    try {
      const driver = await start([say('ok')]);
      await collect(driver.infer(hello));
      expect(JSON.stringify(double?.requests)).not.toMatch('from-the-environment');
    } finally {
      process.env = saved;
    }
  });
});
