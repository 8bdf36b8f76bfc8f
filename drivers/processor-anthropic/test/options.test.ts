import { PROCESSOR } from '@pagefault/contracts';
import { Container } from 'inversify';
import { describe, expect, it } from 'vitest';
import { normaliseBaseURL } from '../src/base-url.js';
import { createAnthropicProcessor, factsOfModel, pricesOfModel } from '../src/index.js';
import { processorAnthropicModule } from '../src/module.js';
import { readOptions } from '../src/options.js';

const local = { model: 'claude-haiku-4-5', baseURL: 'http://127.0.0.1:9' };

describe('the base URL (E05)', () => {
  it.each([
    ['http://host:8080', 'http://host:8080'],
    ['http://host:8080/', 'http://host:8080'],
    ['http://host:8080/v1', 'http://host:8080'],
    ['http://host:8080/v1/', 'http://host:8080'],
    ['http://host:8080/v1/messages', 'http://host:8080'],
    ['https://gateway.example/anthropic', 'https://gateway.example/anthropic'],
    ['https://gateway.example/a/anthropic/v1/', 'https://gateway.example/a/anthropic'],
    ['https://gateway.example/v1x', 'https://gateway.example/v1x'],
  ])('%s is %s', (given, used) => {
    expect(normaliseBaseURL(given)).toBe(used);
  });
});

describe('options', () => {
  it('take facts from the model, by the longest name it begins with, at every platform', () => {
    expect(factsOfModel('claude-sonnet-4-5-20250929').window).toBe(200_000);
    expect(factsOfModel('claude-opus-4-6').maxOutput).toBe(128_000);
    expect(factsOfModel('us.anthropic.claude-opus-4-20250514-v1:0').maxOutput).toBe(32_000);
    expect(factsOfModel('anthropic/claude-opus-5-5')).toMatchObject({
      window: 1_000_000,
      bindsThinking: true,
    });
    expect(factsOfModel('claude-opus-5@20260724').bindsThinking).toBe(false);
    expect(factsOfModel('kimi-k2').window).toBe(200_000);
  });

  it('go before the table', () => {
    const { supports } = createAnthropicProcessor({
      ...local,
      window: 4_096,
      images: false,
      parallelCalls: false,
    });
    expect(supports).toEqual({
      model: 'claude-haiku-4-5',
      window: 4_096,
      maxOutput: 2_048,
      parallelCalls: false,
      images: false,
      prices: { input: 1, cached: 0.1, written: 1.25, output: 5, asOf: '2026-11-05' },
    });
    expect(Object.isFrozen(supports)).toBe(true);
  });

  it('take prices from the list, by the very model at every platform, and say of which day they are', () => {
    expect(pricesOfModel('us.anthropic.claude-opus-4-20250514-v1:0')).toMatchObject({
      input: 15,
      output: 75,
    });
    expect(pricesOfModel('anthropic/claude-sonnet-4-5')).toMatchObject({ input: 3, cached: 0.3 });
    expect(pricesOfModel('claude-opus-5@20260724')).toMatchObject({ output: 25, asOf: '2026-11-05' });
    expect(pricesOfModel('claude-haiku-5-5')?.long).toMatchObject({ above: 100_000, input: 0.5 });
    expect(['claude-opus-4-9', 'claude-fable-5-2', 'kimi-k2'].map((model) => pricesOfModel(model))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('charge more for what is kept for an hour, and go before the list', () => {
    const pricesOf = (options: object) => createAnthropicProcessor({ ...local, ...options }).supports.prices;
    expect(pricesOf({ cache: '1h' })).toMatchObject({ input: 1, written: 2 });
    expect(pricesOf({ prices: { input: 7, output: 9 } })).toEqual({
      input: 7,
      cached: 7,
      written: 7,
      output: 9,
    });
    expect(() => pricesOf({ prices: { input: -1, output: 9 } })).toThrow(/prices.*input/);
  });

  it('leave out thinking that is bound to its prefix, unless told otherwise', () => {
    const replays = (model: string, replayThinking?: boolean) =>
      readOptions({ ...local, model, replayThinking }).replayThinking;
    expect([
      replays('claude-opus-4-8'),
      replays('claude-opus-5-5'),
      replays('claude-opus-5-5', true),
    ]).toEqual([true, false, true]);
  });

  it.each<[string, object, RegExp]>([
    [
      'an output limit that leaves no input (A38)',
      { window: 1_000, maxOutput: 1_000 },
      /maxOutput: 1000 is not less/,
    ],
    ['an unknown option', { modell: 'x' }, /modell/],
    ['an address without http', { baseURL: 'localhost:8080' }, /baseURL.*http/],
    ['an extra body that breaks the protocol', { extraBody: { messages: [] } }, /extraBody.*may not set/],
    ['a client that is none', { client: 'anthropic' }, /client/],
    ['a budget below the least', { thinking: 100 }, /thinking/],
    ['a budget that is the whole reply', { thinking: 2_000, maxOutput: 2_000 }, /leaves nothing/],
    [
      'a budget for a model that takes none',
      { model: 'claude-opus-4-8', thinking: 2_000 },
      /takes no budget/,
    ],
    ['adaptive thinking of a model that cannot', { thinking: 'adaptive' }, /cannot think adaptively/],
    ['a temperature, which the service takes no more', { temperature: 0 }, /temperature/],
  ])('are refused at construction: %s', (_title, change, why) => {
    const create = () => createAnthropicProcessor({ ...local, ...change });
    expect(create).toThrow(why);
    expect(create).toThrow(expect.objectContaining({ code: 'E_CONFIG' }));
  });

  it('ask for a key for Anthropic itself, and name the variable', () => {
    expect(() => createAnthropicProcessor({ model: 'claude-haiku-4-5' })).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', hint: expect.stringMatching('ANTHROPIC_API_KEY') }),
    );
  });

  it('reach the processor through the container module, once', () => {
    const container = new Container();
    container.load(processorAnthropicModule(local));
    const processor = container.get(PROCESSOR);
    expect(processor).toMatchObject({ kind: 'processor', name: 'processor-anthropic', specVersion: 1 });
    expect(container.get(PROCESSOR)).toBe(processor);
  });
});
