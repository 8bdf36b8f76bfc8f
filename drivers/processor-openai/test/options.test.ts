import { Container } from 'inversify';
import { PROCESSOR } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { createOpenAIProcessor, limitsOfModel, pricesOfModel } from '../src/index.js';
import { processorOpenAIModule } from '../src/module.js';

const local = { model: 'gpt-4o', baseURL: 'http://127.0.0.1:9' };

describe('options', () => {
  it('take limits from the model, by the longest name it begins with', () => {
    expect(limitsOfModel('gpt-4o-2024-08-06').maxOutput).toBe(16_384);
    expect(limitsOfModel('gpt-4o-2024-05-13').maxOutput).toBe(4_096);
    expect(limitsOfModel('openai/gpt-4.1-mini').window).toBe(1_047_576);
    expect(limitsOfModel('llama-3').window).toBe(32_768);
    expect(limitsOfModel('o11').window).toBe(32_768);
  });

  it('go before the table', () => {
    const { supports } = createOpenAIProcessor({ ...local, window: 4_096 });
    expect(supports).toEqual({
      model: 'gpt-4o',
      window: 4_096,
      maxOutput: 2_048,
      parallelCalls: true,
      images: true,
      prices: { input: 2.5, cached: 1.25, written: 2.5, output: 10, asOf: '2026-11-05' },
    });
    expect(Object.isFrozen(supports)).toBe(true);
  });

  it('take prices from the list, by the very model: a variant that is not listed has none', () => {
    expect(pricesOfModel('gpt-4o-2024-08-06')).toMatchObject({ input: 2.5, asOf: '2026-11-05' });
    expect(pricesOfModel('gpt-4o-2024-05-13')?.input).toBe(5);
    expect(pricesOfModel('openai/gpt-4.1-mini')?.output).toBe(1.6);
    expect(pricesOfModel('gpt-5.4')?.long).toMatchObject({ above: 272_000, output: 22.5 });
    const unlisted = ['gpt-4.1-maxi', 'gpt-4o-audio-preview', 'llama-3'];
    expect(unlisted.map((model) => pricesOfModel(model))).toEqual([undefined, undefined, undefined]);
  });

  it('give prices of their own, also for long requests', () => {
    const prices = { input: 1, cached: 0, output: 2, long: { above: 10, input: 3, output: 4 } };
    const { supports } = createOpenAIProcessor({ ...local, model: 'llama-3', prices });
    expect(supports.prices).toEqual({
      input: 1,
      cached: 0,
      written: 1,
      output: 2,
      long: { above: 10, input: 3, cached: 3, written: 3, output: 4 },
    });
    expect(createOpenAIProcessor({ ...local, model: 'llama-3' }).supports).not.toHaveProperty('prices');
  });

  it.each([
    [
      'an output limit that leaves no input (A38)',
      { window: 1_000, maxOutput: 1_000 },
      /maxOutput: 1000 is not less/,
    ],
    ['an unknown option', { modell: 'x' }, /modell/],
    ['an address without http', { baseURL: 'localhost:8080' }, /baseURL.*http/],
    ['an extra body that breaks the protocol', { extraBody: { messages: [] } }, /extraBody.*may not set/],
    ['a client that is none', { client: 'openai' }, /client/],
  ])('are refused at construction: %s', (_title, change, why) => {
    const create = () => createOpenAIProcessor({ ...local, ...(change as object) });
    expect(create).toThrow(why);
    expect(create).toThrow(expect.objectContaining({ code: 'E_CONFIG' }));
  });

  it('ask for a key for OpenAI itself, and name the variable', () => {
    expect(() => createOpenAIProcessor({ model: 'gpt-4o' })).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', hint: expect.stringMatching('OPENAI_API_KEY') }),
    );
  });

  it('reach the processor through the container module, once', () => {
    const container = new Container();
    container.load(processorOpenAIModule(local));
    const processor = container.get(PROCESSOR);
    expect(processor).toMatchObject({ kind: 'processor', name: 'processor-openai', specVersion: 1 });
    expect(container.get(PROCESSOR)).toBe(processor);
  });
});
