import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type OpenAIDouble,
  type OpenAIDoubleOptions,
  specSchemas,
  startOpenAIDouble,
} from '../../src/index.js';

let double: OpenAIDouble | undefined;
afterEach(async () => {
  await double?.close();
  double = undefined;
});

async function clientOf(options: OpenAIDoubleOptions): Promise<OpenAI> {
  double = await startOpenAIDouble(options);
  return new OpenAI({ apiKey: 'test-key', baseURL: double.baseURL, maxRetries: 0 });
}

const hello = { model: 'o3', input: 'hello', store: false };
const thinking = { ...hello, include: ['reasoning.encrypted_content' as const] };
const reply = {
  thinking: 'Hm, the sky.',
  text: 'Let me look.',
  calls: [{ name: 'look', arguments: '{"at":"the sky"}' }],
};

describe('the official SDK reads from the double', () => {
  it('a streamed response with reasoning, text, a call and usage', async () => {
    const client = await clientOf({ script: [reply] });
    const final = await client.responses.stream(thinking).finalResponse();
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(final.output_text).toBe('Let me look.');
    expect(final.output[2]).toMatchObject({ name: 'look', arguments: '{"at":"the sky"}' });
    expect(final.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(2);
  });

  it('events and a whole response that are as the published description says', async () => {
    const client = await clientOf({ script: [reply, reply, { refusal: 'No.' }] });
    const events = [];
    for await (const event of await client.responses.create({ ...thinking, stream: true }))
      events.push(event);
    const whole = await client.responses.create(thinking);
    for await (const event of await client.responses.create({ ...hello, stream: true })) events.push(event);
    const wrong = events.flatMap((event) => {
      const problems = specSchemas().problems('ResponseStreamEvent', event);
      return problems.length > 0 ? [[event.type, problems]] : [];
    });
    expect(wrong).toEqual([]);
    const { output_text: _, ...body } = whole as typeof whole & { _request_id?: string };
    delete body._request_id;
    expect(specSchemas().problems('Response', body)).toEqual([]);
  });

  it('an answer that was cut, one that failed, and the cached part of a prompt', async () => {
    const fault = { kind: 'error-event', after: 2 } as const;
    const client = await clientOf({
      script: [{ text: 'a b', finish: 'length' }, { text: 'a', fault }, {}, {}],
      cache: { minimum: 0, step: 1 },
    });
    expect(await client.responses.create(hello)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    const types = [];
    for await (const { type } of await client.responses.create({ ...hello, stream: true })) types.push(type);
    expect(types).toEqual(['response.created', 'response.in_progress', 'error']);
    const again = await client.responses.create(hello);
    expect(again.usage?.input_tokens_details.cached_tokens).toBe(again.usage?.input_tokens);
  });
});

describe('the service refuses', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' } as const;
  const output = { type: 'function_call_output', call_id: 'c1', output: 'ok' } as const;
  const user = { role: 'user', content: 'hi' } as const;

  it.each([
    ['a call without an output', [call], /No tool output found/],
    ['an output without a call', [output], /No tool call found/],
    ['an output before its call', [output, call], /No tool call found/],
    ['two calls of one id', [call, output, call, output], /Duplicate/],
    [
      'a call of its own without its reasoning (A20)',
      [{ ...call, id: 'fc_1' }, output],
      /required 'reasoning' item/,
    ],
    [
      'reasoning that it did not make',
      [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x.y' }, call, output],
      /could not be verified/,
    ],
    ['empty text', [{ role: 'user', content: '' }], /empty/],
    [
      'a long id',
      [
        { ...call, call_id: 'x'.repeat(65) },
        { ...output, call_id: 'x'.repeat(64) },
      ],
      /too long/,
    ],
    ['arguments that are no object', [{ ...call, arguments: '[]' }, output], /arguments/],
    ['output in a user message', [{ role: 'user', content: [{ type: 'output_text', text: 'x' }] }], /./],
  ])('%s', async (_title, input, why) => {
    const client = await clientOf({});
    await expect(client.responses.create({ ...hello, input: input as never })).rejects.toThrow(why);
  });

  it('lone reasoning (A21), and reasoning of another model', async () => {
    const client = await clientOf({ script: [reply] });
    const { output } = await client.responses.create(thinking);
    const [reasoning] = output;
    const ask = (model: string, ...input: unknown[]) =>
      client.responses.create({ ...hello, model, input: input as never });
    await expect(ask('o3', reasoning, user)).rejects.toThrow(/required following item/);
    await expect(ask('o4', reasoning, call, { ...user })).rejects.toThrow(/could not be verified/);
  });

  it('too little output, a strict schema that is open, and a field that is none', async () => {
    const client = await clientOf({});
    const tool = {
      type: 'function',
      name: 'f',
      strict: true,
      parameters: { type: 'object', properties: {} },
    } as const;
    const ask = (more: object) => client.responses.create({ ...hello, ...more } as never);
    await expect(ask({ max_output_tokens: 15 })).rejects.toThrow(/16/);
    await expect(ask({ tools: [tool] })).rejects.toThrow(/additionalProperties/);
    await expect(ask({ messages: [] })).rejects.toThrow(/messages/);
  });
});
