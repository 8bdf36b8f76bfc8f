import { getEventListeners } from 'node:events';
import type { Message, ProcessorDriver } from '@pagefault/contracts';
import {
  type DoubleReply,
  type OpenAIDouble,
  type OpenAIDoubleOptions,
  type ResponsesRequest,
  startOpenAIDouble,
} from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAIProcessor, type OpenAIProcessorOptions } from '../../src/index.js';
import { collect, hello, instantTiming, message, replyOf, request, text } from '../helpers.js';

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
    api: 'responses',
    model: 'o3',
    baseURL: double.origin,
    timing: instantTiming(),
    ...options,
  });
  await processor.open();
  return processor;
}

const say = (value: string): DoubleReply => ({ text: value });
const input = (at: number) => (double?.requests[at]?.body as ResponsesRequest | undefined)?.input;

describe('the choice of the API', () => {
  const local = { model: 'gpt-4o', baseURL: 'http://127.0.0.1:9' };
  const body = (options: OpenAIProcessorOptions) => createOpenAIProcessor(options);

  it('is Chat Completions with servers of your own, and Responses by option', async () => {
    await start([say('ok'), say('ok')], { api: 'auto' });
    await collect((processor as ProcessorDriver).infer(hello));
    const other = createOpenAIProcessor({
      ...local,
      baseURL: (double as OpenAIDouble).origin,
      api: 'responses',
    });
    await other.open();
    await collect(other.infer(hello));
    await other.close();
    expect(double?.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/responses']);
  });

  it('is refused with a client that cannot speak it', async () => {
    const client = { chat: { completions: { create: () => new Promise<never>(() => undefined) } } };
    const driver = body({ ...local, client, api: 'responses' });
    await driver.open();
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_CONFIG' });
    await driver.close();
  });
});

describe('a cycle', () => {
  it('gives deltas that add up to the reply, and one finish at the end', async () => {
    const driver = await start([
      {
        thinking: 'Hm, the sky.',
        text: 'Let me look 🌍.',
        calls: [{ name: 'look', arguments: '{"at":"sky"}' }],
      },
    ]);
    const events = await collect(driver.infer(hello));
    const joined = (type: string): string =>
      events.map((event) => (event.type === type && 'delta' in event ? event.delta : '')).join('');
    expect([joined('thinking'), joined('text'), joined('arguments')]).toEqual([
      'Hm, the sky.',
      'Let me look 🌍.',
      '{"at":"sky"}',
    ]);
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reply: { reason: 'calls' } });
  });

  it('keeps its reasoning from one cycle to the next, and not for another model (A15 A20)', async () => {
    const thinking = { thinking: 'Hm.', calls: [{ name: 'look', arguments: '{}' }] };
    const driver = await start([thinking, say('Blue.'), say('Blue.')]);
    const { parts } = await replyOf(driver.infer(hello));
    const callId = parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []))[0] ?? '';
    const result = { type: 'result', callId, name: 'look', text: 'blue' } as const;
    const messages: Message[] = [...hello.messages, message('assistant', ...parts), message('tool', result)];
    await collect(driver.infer(request(messages)));
    expect(input(1)).toMatchObject([{ role: 'user' }, { type: 'reasoning' }, { type: 'function_call' }, {}]);
    const other = createOpenAIProcessor({
      api: 'responses',
      model: 'o4-mini',
      baseURL: (double as OpenAIDouble).origin,
    });
    await other.open();
    expect((await replyOf(other.infer(request(messages)))).reason).toBe('stop');
    await other.close();
    expect(input(2)).toMatchObject([{ role: 'user' }, { type: 'function_call' }, {}]);
  });

  it('reports what the provider had cached (A36)', async () => {
    const driver = await start([say('a'), say('b')]);
    const long = request([
      message('user', text('The quick brown fox jumps over the lazy dog. '.repeat(200))),
    ]);
    await collect(driver.infer(long));
    expect((await replyOf(driver.infer(long))).usage.cached).toBeGreaterThanOrEqual(1_024);
  });

  it('reads characters that are split between packets (A29)', async () => {
    const driver = await start([{ text: 'grüße 🌍 世界', fault: { kind: 'split', bytes: 1 } }]);
    expect((await replyOf(driver.infer(hello))).parts).toEqual([{ type: 'text', text: 'grüße 🌍 世界' }]);
  });

  it('ends as refused, once, without a second try (A30)', async () => {
    const driver = await start([{ refusal: 'I cannot.' }, { finish: 'content_filter' }]);
    expect(await replyOf(driver.infer(hello))).toMatchObject({
      reason: 'refused',
      parts: [{ text: 'I cannot.' }],
    });
    expect(await replyOf(driver.infer(hello))).toMatchObject({ reason: 'refused', parts: [] });
    expect(double?.requests).toHaveLength(2);
  });
});

describe('a failure', () => {
  it.each<[string, DoubleReply]>([
    ['status 429', { fault: { kind: 'status', status: 429 } }],
    ['an error in a stream of status 200 (C13)', { fault: { kind: 'error-event', after: 2 } }],
    ['a socket that dies before any text', { text: 'x', fault: { kind: 'destroy', after: 2 } }],
    ['a stream that ends before any text', { text: 'x', fault: { kind: 'end', after: 2 } }],
  ])('before anything was shown is tried again: %s', async (_title, fault) => {
    const driver = await start([fault, fault, say('ok')]);
    expect((await replyOf(driver.infer(hello))).parts).toEqual([{ type: 'text', text: 'ok' }]);
    expect(double?.requests).toHaveLength(3);
  });

  it.each<[string, DoubleReply, string]>([
    ['error event', { text: 'one two three', fault: { kind: 'error-event', after: 6 } }, 'E_OVERLOADED'],
    ['dead socket', { text: 'one two three', fault: { kind: 'destroy', after: 6 } }, 'E_OVERLOADED'],
    ['early end', { text: 'one two three', fault: { kind: 'end', after: 6 } }, 'E_PROTOCOL'],
    ['no end at all', { text: 'one two three', finish: null }, 'E_PROTOCOL'],
  ])(
    'after some text is thrown, and the half answer is never a reply (C14): %s',
    async (_title, fault, code) => {
      const driver = await start([fault, say('ok')]);
      await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code });
      expect(double?.requests).toHaveLength(1);
    },
  );

  it('by length says so, for the kernel to reclaim (A37)', async () => {
    const driver = await start({ window: 60, script: [say('ok')] });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_CONTEXT_OVERFLOW' });
  });
});

describe('silence and abort', () => {
  it.each<[string, DoubleReply]>([
    ['without headers', { fault: { kind: 'no-answer' } }],
    ['in the middle of the text', { text: 'one two three', fault: { kind: 'silence', after: 6 } }],
  ])('ends after the idle time: %s (C16)', async (_title, reply) => {
    const driver = await start([reply], { idleTimeout: 50, attempts: 1 });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_TIMEOUT', retryable: true });
  });

  it('in the middle of a call ends the cycle, and the next one works (C19 C20)', async () => {
    const controller = new AbortController();
    const cut = {
      calls: [{ name: 'look', arguments: '{"a":"b"}' }],
      fault: { kind: 'silence', after: 4 },
    } as const;
    const driver = await start({
      respond: (_request, n) => {
        if (n === 0) setImmediate(() => controller.abort());
        return n === 0 ? cut : say('ok');
      },
    });
    await expect(collect(driver.infer(hello, controller.signal))).rejects.toMatchObject({
      code: 'E_ABORTED',
    });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect((await replyOf(driver.infer(hello))).reason).toBe('stop');
  });
});
