import {
  type InferRequest,
  PagefaultError,
  PROCESSOR,
  type ProcessorEvent,
  type Reply,
} from '@pagefault/contracts';
import { Container } from 'inversify';
import { describe, expect, test } from 'vitest';
import { createReflexProcessor, createScriptedProcessor, type ScriptedProcessor } from '../src/index.js';
import { reflexModule, scriptedModule } from '../src/module.js';
import type { ScriptedOptions } from '../src/index.js';
import { infer } from './fake-memory.js';

const request: InferRequest = { tools: [], system: '', messages: [], maxOutput: 256 };

async function scripted(options: ScriptedOptions): Promise<ScriptedProcessor> {
  const driver = createScriptedProcessor(options);
  await driver.open();
  return driver;
}

/** Reads to the end or the error; what was read by then is kept. */
async function read(driver: ScriptedProcessor, signal?: AbortSignal) {
  const events: ProcessorEvent[] = [];
  const error = await (async () => {
    for await (const event of driver.infer(request, signal)) events.push(event);
    return undefined;
  })().catch((reason: unknown) => reason);
  return { events, error, finishes: events.filter((event) => event.type === 'finish').length };
}

describe('a script', () => {
  test('is played in order and keeps the requests', async () => {
    const driver = await scripted({ replies: ['one', { text: 'two', usage: { plain: 7 } }] });
    const first: Reply = await infer(driver, request);
    expect(first.parts).toEqual([{ type: 'text', text: 'one' }]);
    expect(first.reason).toBe('stop');
    expect((await infer(driver, request)).usage).toEqual({ plain: 7, cached: 0, written: 0, output: 0 });
    expect(driver.requests).toEqual([request, request]);
  });

  test('may be a function of the request and its number', async () => {
    const driver = await scripted({ replies: ({ maxOutput }, n) => `${maxOutput} ${n}` });
    await infer(driver, request);
    expect((await infer(driver, request)).parts).toEqual([{ type: 'text', text: '256 1' }]);
  });

  test('that is used up says so', async () => {
    const { error } = await read(await scripted({ replies: [] }));
    expect(error).toMatchObject({
      code: 'E_PROTOCOL',
      message: 'the script has 0 replies, request 1 has none',
    });
  });

  test('mints call ids that are unique over the life of the processor', async () => {
    const calls = [{ name: 'a' }, { name: 'b', arguments: { x: 1 } }];
    const driver = await scripted({ replies: () => ({ calls }), idPrefix: 'x_' });
    await infer(driver, request);
    const { parts, reason } = await infer(driver, request);
    expect(reason).toBe('calls');
    expect(parts).toEqual([
      { type: 'call', callId: 'x_3', name: 'a', arguments: '{}' },
      { type: 'call', callId: 'x_4', name: 'b', arguments: '{"x":1}' },
    ]);
  });

  test('keeps the digits of raw arguments and sets broken ones aside', async () => {
    const raw = '{"id": 12345678901234567890}';
    const calls = [{ name: 'a', arguments: raw }, { name: 'b', arguments: '{"x":' }, { name: 'c', arguments: '[]' }]; // prettier-ignore
    const reply = await infer(await scripted({ replies: [{ calls }] }), request);
    expect(reply.parts).toMatchObject([{ name: 'a', arguments: raw }]);
    expect(reply.brokenCalls?.map(({ call }) => [call.name, call.arguments])).toEqual([
      ['b', '{}'],
      ['c', '{}'],
    ]);
  });

  test('waits for the promise it is given, or until it is aborted', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const driver = await scripted({ replies: () => ({ text: 'late', before: gate }) });
    const controller = new AbortController();
    const stopped = read(driver, controller.signal);
    controller.abort();
    expect((await stopped).error).toMatchObject({ code: 'E_ABORTED' });
    const waiting = read(driver);
    release();
    expect((await waiting).finishes).toBe(1);
  });

  test('throws its error after what was streamed', async () => {
    const error = new PagefaultError('E_OVERLOADED', 'busy', { retryable: true });
    const outcome = await read(await scripted({ replies: [{ text: 'half of', error }] }));
    expect(outcome).toMatchObject({ error, finishes: 0, events: [{ type: 'text', delta: 'half of' }] });
  });

  test.each([
    ['no-finish', 2, 0],
    ['half', 1, 0],
    ['two-finishes', 4, 2],
  ] as const)('can break its stream: %s', async (broken, events, finishes) => {
    const outcome = await read(await scripted({ replies: [{ text: '0123456789', broken }] }));
    expect(outcome.error).toBeUndefined();
    expect(outcome.events).toHaveLength(events);
    expect(outcome.finishes).toBe(finishes);
  });

  test('can hang until it is aborted', async () => {
    const controller = new AbortController();
    const driver = await scripted({ replies: [{ text: 'x', broken: 'hang' }] });
    const stream = driver.infer(request, controller.signal)[Symbol.asyncIterator]();
    await stream.next();
    const pending = stream.next();
    // Nothing but the abort is left that could settle it.
    const idle = new Promise((resolve) => setImmediate(() => resolve('idle')));
    expect(await Promise.race([pending, idle])).toBe('idle');
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'E_ABORTED' });
  });

  test('is paced by the injected hook', async () => {
    const deltas: string[] = [];
    const driver = await scripted({
      replies: ['0123456789'],
      pace: async (delta) => void deltas.push(delta),
    });
    await infer(driver, request);
    expect(deltas).toEqual(['01234567', '89']);
  });
});

describe('options', () => {
  test.each([
    [{ replies: 7 }, 'replies: 7 is not allowed; it must be a list'],
    [{ replies: [], window: 512, maxOutput: 512 }, 'maxOutput: must be smaller than window'],
    [{ replies: [], idPrefix: 'a b' }, 'idPrefix: "a b" is not allowed; it must be'],
    [{ replies: [], windw: 1 }, 'windw'],
  ])('%o are refused, naming the key', (options, message) => {
    const create = () => createScriptedProcessor(options as unknown as ScriptedOptions);
    expect(create).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', message: expect.stringContaining(message) }),
    );
  });

  test('reflex refuses a wrong window', () => {
    expect(() => createReflexProcessor({ window: 1 })).toThrow(expect.objectContaining({ code: 'E_CONFIG' }));
  });
});

describe('modules', () => {
  test('bind one processor for the whole container', () => {
    for (const module of [reflexModule(), scriptedModule({ replies: [] })]) {
      const container = new Container();
      container.load(module);
      const processor = container.get(PROCESSOR);
      expect(processor).toHaveProperty('kind', 'processor');
      expect(container.get(PROCESSOR)).toBe(processor);
    }
  });
});
