import { conformProcessor } from '@pagefault/conformance';
import { createInstance, type DoubleInstance } from './instance.js';
import type { CountablePiece, ProcessorDriver } from '@pagefault/contracts';
import {
  startAnthropicDouble,
  type AnthropicDouble,
  type AnthropicDoubleOptions,
  type MessagesReply,
  type MessagesRequest,
} from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { createAnthropicProcessor, type AnthropicProcessorOptions } from '../src/index.js';
import {
  call,
  collect,
  hello,
  instantTiming,
  lookTool,
  message,
  replyOf,
  request,
  result,
  text,
} from './helpers.js';

conformProcessor({
  name: 'processor-anthropic',
  create: createInstance,
  destroy: (instance) => (instance as DoubleInstance).end(),
  unopened: () => createAnthropicProcessor({ model: 'm', baseURL: 'http://127.0.0.1:9' }),
});

let double: AnthropicDouble | undefined;
let processor: ProcessorDriver | undefined;
afterEach(async () => {
  await processor?.close();
  await double?.close();
});

async function start(
  replies: AnthropicDoubleOptions | readonly MessagesReply[],
  options: Partial<AnthropicProcessorOptions> = {},
): Promise<ProcessorDriver> {
  double = await startAnthropicDouble('length' in replies ? { script: replies } : replies);
  processor = createAnthropicProcessor({
    model: 'claude-opus-4-8',
    baseURL: double.origin,
    timing: instantTiming(),
    ...options,
  });
  await processor.open();
  return processor;
}

const say = (value: string): MessagesReply => ({ text: value });
const problems = () => double?.requests.flatMap((each) => each.problems);

describe('a cycle on Anthropic', () => {
  it('goes on with results, behind the thinking that led to the call (A13)', async () => {
    const driver = await start(
      [
        { thinking: 'Look first.', redacted: 'x', calls: [{ name: 'look', input: '{"at":"sky"}' }] },
        say('Blue.'),
      ],
      { model: 'claude-haiku-4-5', thinking: 1_024 },
    );
    const ask = (...more: ReturnType<typeof message>[]) =>
      replyOf(
        driver.infer(
          request([message('user', text('hello')), ...more], { tools: [lookTool], maxOutput: 4_000 }),
        ),
      );
    const first = await ask();
    expect(first.parts.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'call']);
    const id = first.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []))[0] ?? '';
    const second = await ask(message('assistant', ...first.parts), message('tool', result(id, '')));
    expect(second).toMatchObject({ reason: 'stop', parts: [{ text: 'Blue.' }] });
    expect(problems()).toEqual([]);
    const sent = double?.requests[1]?.body as MessagesRequest | undefined;
    expect(sent?.messages[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'Look first.' },
      { type: 'redacted_thinking' },
      { type: 'tool_use' },
    ]);
  });

  it('reports what the provider read from its cache and wrote to it, behind the marks (A36 A58)', async () => {
    const driver = await start({ reply: () => say('ok') });
    const long = message('user', text('The quick brown fox jumps over the lazy dog. '.repeat(200)));
    const ask = (...more: ReturnType<typeof message>[]) =>
      replyOf(driver.infer(request([long, ...more, message('user', text('end'))], { breakpoints: [0, 1] })));
    const first = await ask();
    const second = await ask(message('assistant', text('ok')));
    expect(first.usage).toMatchObject({ cached: 0, written: expect.any(Number) });
    expect(first.usage.written).toBeGreaterThan(1_024);
    expect(second.usage).toMatchObject({ cached: first.usage.written, written: 0 });
    expect(second.usage.plain).toBeLessThan(100);
  });

  it.each(['', '/', '/v1', '/v1/'])('reaches the server by its address with "%s" (E05)', async (end) => {
    double = await startAnthropicDouble({ script: [say('ok')] });
    processor = createAnthropicProcessor({ model: 'claude-opus-4-8', baseURL: double.origin + end });
    await processor.open();
    await collect(processor.infer(hello));
    expect(double.requests.map(({ path }) => path)).toEqual(['/v1/messages']);
  });

  it('goes through a gateway that has the API elsewhere (E05)', async () => {
    double = await startAnthropicDouble({ script: [say('ok')], basePath: '/team/a/anthropic' });
    processor = createAnthropicProcessor({ model: 'claude-opus-4-8', baseURL: double.baseURL });
    await processor.open();
    expect((await replyOf(processor.infer(hello))).reason).toBe('stop');
  });

  it('sends headers that a gateway asks for', async () => {
    const driver = await start([say('ok')], { headers: { 'x-team': 'alpacas' } });
    await collect(driver.infer(hello));
    expect(double?.requests[0]?.headers['x-team']).toBe('alpacas');
  });

  it.each(['max_tokens', 'model_context_window_exceeded'] as const)(
    'ends by length at %s (A22)',
    async (stop) => {
      const driver = await start([{ text: 'half a', stop }]);
      expect(await replyOf(driver.infer(hello))).toMatchObject({
        reason: 'length',
        parts: [{ text: 'half a' }],
      });
    },
  );

  it('is not ended by a length that only the provider knows of without saying so (A37)', async () => {
    const driver = await start({ rules: { window: 60 }, script: [say('ok')] });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_CONTEXT_OVERFLOW' });
    expect((await replyOf(driver.infer(request(hello.messages, { maxOutput: 20 })))).reason).toBe('stop');
  });

  it('is one request for each try: the SDK tries nothing again (C16)', async () => {
    const driver = await start(
      { reply: () => ({ fault: { kind: 'status', status: 529 } }) },
      { attempts: 3 },
    );
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({
      code: 'E_OVERLOADED',
      retryable: true,
    });
    expect(double?.requests).toHaveLength(3);
  });

  it('names no part of a key that was refused (E12)', async () => {
    const driver = await start({ apiKey: 'the-right-one' }, { apiKey: 'sk-ant-the-wrong-key-1234' });
    const failed = collect(driver.infer(hello));
    await expect(failed).rejects.toMatchObject({
      code: 'E_AUTH',
      hint: expect.stringMatching('ANTHROPIC_API_KEY'),
    });
    await expect(failed).rejects.not.toThrow(/1234|the-wrong/);
  });
});

describe('the life of the driver', () => {
  it('takes a client, or a function that gives one', async () => {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    double = await startAnthropicDouble({ reply: () => say('ok') });
    const client = new Anthropic({ apiKey: 'k', baseURL: double.baseURL });
    for (const given of [client, async () => Promise.resolve(client)]) {
      processor = createAnthropicProcessor({ model: 'claude-opus-4-8', client: given });
      await processor.open();
      expect((await replyOf(processor.infer(hello))).reason).toBe('stop');
    }
  });

  it('takes neither key nor address from the environment', async () => {
    const saved = { ...process.env };
    process.env['ANTHROPIC_API_KEY'] = 'from-the-environment';
    process.env['ANTHROPIC_AUTH_TOKEN'] = 'from-the-environment';
    process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:9';
    try {
      const driver = await start([say('ok')]);
      await collect(driver.infer(hello));
      expect(JSON.stringify(double?.requests)).not.toMatch('from-the-environment');
    } finally {
      process.env = saved;
    }
  });
});

describe('counting', () => {
  const pieces: readonly CountablePiece[] = [
    { kind: 'tools', tools: [lookTool] },
    { kind: 'system', text: 'You are brief. <|endoftext|>' },
    { kind: 'message', message: message('user', text('hello'), text('grüße 🌍 世界')) },
    { kind: 'message', message: message('assistant', text('hm'), call('c1', '{"at":"the sky"}')) },
    { kind: 'message', message: message('tool', result('c1', 'blue '.repeat(50))) },
    { kind: 'message', message: message('system', text('tail')) },
  ];
  const messages = pieces.flatMap((piece) => (piece.kind === 'message' ? [piece.message] : []));
  const whole = request(messages, { tools: [lookTool], system: 'You are brief. <|endoftext|>' });
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const seen = () => double?.requests.filter(({ path }) => path.endsWith('count_tokens')).length ?? 0;

  async function inputOf(driver: ProcessorDriver): Promise<number> {
    return (await replyOf(driver.infer(whole))).usage.plain;
  }

  it('gives upper bounds without being open, and never throws (A31 A34)', async () => {
    const closed = createAnthropicProcessor({
      model: 'claude-haiku-4-5',
      baseURL: 'http://127.0.0.1:9',
      counting: 'exact',
    });
    const counts = await closed.count([
      ...pieces,
      { kind: 'system', text: '\ud800' },
      { kind: 'tools', tools: [] },
    ]);
    expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    expect(sum(counts)).toBeGreaterThan(await inputOf(await start([say('ok')])));
    expect(seen()).toBe(0);
  });

  it('does not take the bytes of an image for text (A32)', async () => {
    const driver = await start([]);
    const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(4_000_000) } as const;
    const [unknown, small] = await driver.count([
      { kind: 'message', message: message('user', image) },
      { kind: 'message', message: message('user', { ...image, width: 200, height: 200 }) },
    ]);
    expect(unknown).toBeLessThan(2_000);
    expect(small).toBeLessThan(100);
  });

  it('asks the provider when told to: little above what it then reports, piece by piece', async () => {
    const driver = await start([say('ok')], { counting: 'exact' });
    const told: unknown[] = [];
    const counts = await driver.count(pieces, undefined, (why) => void told.push(why));
    expect(told).toEqual([]);
    expect(seen()).toBeGreaterThanOrEqual(pieces.length);
    expect(problems()).toEqual([]);
    const input = await inputOf(driver);
    expect(sum(counts)).toBeGreaterThanOrEqual(input);
    expect(sum(counts)).toBeLessThan(input + 15 * pieces.length);
  });

  it.each([
    ['fails', { kind: 'status', status: 529 }, 'E_OVERLOADED', 60_000],
    ['answers nothing', { kind: 'no-answer' }, 'E_TIMEOUT', 40],
  ] as const)(
    'falls back to upper bounds when the provider %s, and says why',
    async (_title, fault, code, idleTimeout) => {
      const driver = await start(
        { countFault: (n) => (n > 1 ? fault : undefined) },
        { counting: 'exact', idleTimeout },
      );
      const told: unknown[] = [];
      const counts = await driver.count(pieces, undefined, (why) => void told.push(why));
      expect(counts).toHaveLength(pieces.length);
      expect(counts.every((count) => count > 0)).toBe(true);
      const message = expect.stringMatching('counting is exact, but');
      expect(told).toMatchObject([{ code, message, hint: expect.stringMatching('counting to bounds') }]);
      expect(double?.requests.length).toBeLessThan(8);
    },
  );
});
