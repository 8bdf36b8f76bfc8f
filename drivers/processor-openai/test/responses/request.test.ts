import type { InferRequest, Part } from '@pagefault/contracts';
import { sealReasoning as seal, validateResponsesRequest } from '@pagefault/doubles';
import { describe, expect, it } from 'vitest';
import { toResponsesBody } from '../../src/responses/request.js';
import { call, message, request, responsesSettings as settings, result, text } from '../helpers.js';

type Wire = { [key: string]: unknown };

const user = message('user', text('hi'));

function body(
  messages: Parameters<typeof request>[0],
  change: object = {},
  more: Partial<InferRequest> = {},
) {
  const made = toResponsesBody(request(messages, more), { ...settings, ...change });
  expect(validateResponsesRequest(made)).toEqual([]);
  return made;
}

const wire = (...messages: Parameters<typeof request>[0]): Wire[] => body(messages).input as never;
const types = (items: Wire[]): unknown[] => items.map(({ type, role }) => type ?? role);

function reasoning(id: string, model = settings.model, driver = 'processor-openai'): Part {
  const data = { api: 'responses', id, encrypted: seal(model, 'hm'), summary: ['Hm.'] };
  return { type: 'thinking', text: 'Hm.', opaque: { driver, model, data } };
}

describe('the input', () => {
  it('holds calls with their results right behind them, and no id of an item (A02 A20)', () => {
    const items = wire(
      message('assistant', text('Look.'), call('c1'), call('c2')),
      user,
      message('tool', result('c1')),
    );
    expect(types(items)).toEqual([
      'assistant',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      'user',
    ]);
    expect(items.filter((item) => 'id' in item)).toEqual([]);
    expect(items[4]).toMatchObject({ call_id: 'c2', output: expect.stringMatching('no result') });
  });

  it('drops a result whose call is gone, and answers one without text (A01 A10)', () => {
    const items = wire(
      message('tool', result('c9')),
      message('assistant', call('c1')),
      message('tool', result('c1', '')),
    );
    expect(types(items)).toEqual(['function_call', 'function_call_output']);
    expect(items[1]).toMatchObject({ output: '(no output)' });
  });

  it('replays own reasoning before what followed from it (A20)', () => {
    const items = wire(message('assistant', reasoning('rs_1'), call('c1')), message('tool', result('c1')));
    expect(types(items)).toEqual(['reasoning', 'function_call', 'function_call_output']);
    expect(items[0]).toEqual({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: seal(settings.model, 'hm'),
    });
  });

  it('leaves out reasoning that nothing followed (A21)', () => {
    expect(types(wire(user, message('assistant', reasoning('rs_1')), user))).toEqual(['user', 'user']);
    const items = wire(message('assistant', text('a'), reasoning('rs_1')), user);
    expect(types(items)).toEqual(['assistant', 'user']);
  });

  it('leaves out reasoning of another model and of another driver (A15)', () => {
    const foreign = [reasoning('rs_1', 'o4'), reasoning('s', settings.model, 'processor-anthropic')];
    expect(types(wire(message('assistant', ...foreign, text('ok')), user))).toEqual(['assistant', 'user']);
  });

  it('gives each result to its own turn when ids come twice (A18 A19)', () => {
    const turn = (value: string) => [
      message('assistant', call('call_0')),
      message('tool', result('call_0', value)),
    ];
    const items = wire(...turn('first'), ...turn('second'));
    expect(items.map(({ output }) => output)).toEqual([undefined, 'first', undefined, 'second']);
    expect(items[2]?.['call_id']).not.toBe('call_0');
    expect(items[3]?.['call_id']).toBe(items[2]?.['call_id']);
  });

  it('keeps every digit of the arguments (A28), and system messages in their place (A08)', () => {
    const args = '{"id": 2512292042121000001}';
    const items = wire(
      user,
      message('system', text('memory pressure')),
      message('assistant', call('c1', args)),
    );
    expect(types(items).slice(0, 3)).toEqual(['user', 'system', 'function_call']);
    expect(items[2]).toMatchObject({ arguments: args });
  });

  it('shows images, where the model can see them, and who speaks', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
    const spoken = { ...message('user', text('Look:'), image), name: 'Ada' };
    const [shown] = body([spoken]).input as never as Wire[];
    expect(shown).toMatchObject({
      content: [
        { type: 'input_text', text: 'Ada: Look:' },
        { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
      ],
    });
    const [told] = body([spoken], { images: false }).input as never as Wire[];
    expect(told?.['content']).toMatch(/^Ada: Look:\n\(an image/);
  });

  it('is refused when nothing is left', () => {
    const nothing = () => toResponsesBody(request([message('user', text(''))]), settings);
    expect(nothing).toThrow(expect.objectContaining({ code: 'E_INVALID' }));
  });
});

describe('the rest of the body', () => {
  it('keeps nothing at the provider, and asks for reasoning of models that have some', () => {
    expect(body([user])).toMatchObject({
      instructions: 'You are brief.',
      store: false,
      stream: true,
      include: ['reasoning.encrypted_content'],
    });
    expect(body([user], { reasons: false })).not.toHaveProperty('include');
  });

  it('asks for no less output than the service gives', () => {
    expect(body([user], {}, { maxOutput: 3 }).max_output_tokens).toBe(16);
  });

  it('sends a cache key when there is one', () => {
    expect(body([user], { promptCacheKey: 'ada' })).toMatchObject({ prompt_cache_key: 'ada' });
  });

  it('asks for strict decoding where a schema allows it, and changes none', () => {
    const at = { type: 'object', properties: { at: { type: 'string' } }, additionalProperties: false };
    const tools = [
      { name: 'closed', description: 'd', parameters: { ...at, required: ['at'] } },
      { name: 'open', description: 'd', parameters: at },
      {
        name: 'deep',
        description: 'd',
        parameters: { ...at, required: ['at'], properties: { at: { type: 'object' } } },
      },
    ];
    const sent = body([user], { strictTools: true }, { tools }).tools as never as Wire[];
    expect(sent.map(({ strict }) => strict)).toEqual([true, false, false]);
    expect(sent.map(({ parameters }) => parameters)).toEqual(tools.map(({ parameters }) => parameters));
    const loose = body([user], {}, { tools }).tools as never as Wire[];
    expect(loose.map(({ strict }) => strict)).toEqual([false, false, false]);
  });
});
