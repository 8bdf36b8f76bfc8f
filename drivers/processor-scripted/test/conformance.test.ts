import { type InferRequest, type ProcessorDriver, type ProcessorEvent } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReflexProcessor, createScriptedProcessor, type ScriptedReply } from '../src/index.js';
import { TOOLS } from './fake-memory.js';

const request: InferRequest = {
  tools: TOOLS.map((name) => ({ name, description: name, parameters: { type: 'object' } })),
  system: '',
  messages: [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'Hello' }], at: 0 }],
  maxOutput: 256,
};

const drivers: readonly (readonly [string, () => ProcessorDriver])[] = [
  ['scripted', () => createScriptedProcessor({ replies: () => ({ text: 'Hello, and how are you?' }) })],
  ['reflex', () => createReflexProcessor()],
];

async function collect(driver: ProcessorDriver, signal?: AbortSignal): Promise<ProcessorEvent[]> {
  const events: ProcessorEvent[] = [];
  for await (const event of driver.infer(request, signal)) events.push(event);
  return events;
}

describe.each(drivers)('%s', (_, create) => {
  test('has a frozen manifest', () => {
    const { supports } = create();
    expect(Object.isFrozen(supports)).toBe(true);
    expect(supports.maxOutput).toBeLessThan(supports.window);
  });

  test('refuses work before open and after close, and both may be called twice', async () => {
    const driver = create();
    await driver.close();
    await expect(collect(driver)).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await expect(driver.count([])).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await driver.open();
    await driver.open();
    expect(await collect(driver)).not.toEqual([]);
    await driver.close();
    await driver.close();
    await expect(collect(driver)).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });

  test('stops when it is aborted, before and in the middle of a stream', async () => {
    const driver = create();
    await driver.open();
    await expect(collect(driver, AbortSignal.abort())).rejects.toMatchObject({ code: 'E_ABORTED' });
    const controller = new AbortController();
    let events = 0;
    const broken = async () => {
      for await (const _event of driver.infer(request, controller.signal)) {
        events += 1;
        controller.abort();
      }
    };
    await expect(broken()).rejects.toMatchObject({ code: 'E_ABORTED' });
    expect(events).toBe(1);
  });

  test('counts any text, special tokens and lone surrogates too', async () => {
    const driver = create();
    await driver.open();
    const texts = ['', '<|endoftext|>', '\ud800', 'a'.repeat(20_000)];
    const counts = await driver.count(texts.map((text) => ({ kind: 'system', text })));
    expect(counts).toHaveLength(texts.length);
    expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
  });
});

const anyReply: fc.Arbitrary<ScriptedReply> = fc.record(
  {
    text: fc.string({ unit: 'binary' }),
    thinking: fc.string({ unit: 'grapheme' }),
    calls: fc.array(
      fc.record({
        name: fc.constantFrom('send_message', 'page_in'),
        arguments: fc.oneof(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), fc.string()),
      }),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: [] },
);

describe('a scripted reply', () => {
  test('streams deltas that join to the reply, slot by slot, and finishes once, last', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, async (reply) => {
        const driver = createScriptedProcessor({ replies: [reply] });
        await driver.open();
        const events = await collect(driver);
        expect(events.filter((event) => event.type === 'finish')).toHaveLength(1);
        const last = events.at(-1);
        if (last?.type !== 'finish') throw new Error('finish is not last');
        expect(joined(events)).toEqual(written(reply));
        for (const part of last.reply.parts) if (part.type === 'text') expect(part.text).not.toBe('');
        const ids = last.reply.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('A29: no delta cuts a surrogate pair', async () => {
    const driver = createScriptedProcessor({ replies: [`1234567${'\u{1f999}'.repeat(20)}`] });
    await driver.open();
    for (const event of await collect(driver)) {
      if (event.type === 'text') expect(() => encodeURIComponent(event.delta)).not.toThrow();
    }
  });
});

function joined(events: readonly ProcessorEvent[]) {
  const join = (type: 'text' | 'thinking') =>
    events.map((event) => (event.type === type ? event.delta : '')).join('');
  const calls: { name: string; arguments: string }[] = [];
  for (const event of events) {
    if (event.type === 'call') calls[event.slot] = { name: event.name, arguments: '' };
    if (event.type === 'arguments') calls[event.slot]!.arguments += event.delta;
  }
  return { text: join('text'), thinking: join('thinking'), calls };
}

function written(reply: ScriptedReply) {
  const { text = '', thinking = '', calls = [] } = typeof reply === 'string' ? { text: reply } : reply;
  const plain = calls.map(({ name, arguments: given = {} }) => ({
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  }));
  return { text, thinking, calls: plain };
}
