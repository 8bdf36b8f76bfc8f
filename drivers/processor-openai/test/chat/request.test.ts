import { validateChatRequest } from '@pagefault/doubles';
import { describe, expect, it } from 'vitest';
import { toChatBody } from '../../src/chat/request.js';
import { call, message, request, result, settings, text } from '../helpers.js';

type Wire = {
  role: string;
  content: unknown;
  name?: string;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};

/** The messages on the wire, after the system text, of a request that the service accepts. */
function wire(...messages: Parameters<typeof request>[0]): Wire[] {
  const body = toChatBody(request(messages), settings);
  expect(validateChatRequest(body)).toEqual([]);
  return body.messages.slice(1) as Wire[];
}

const roles = (messages: Wire[]): string[] => messages.map(({ role }) => role);
const ids = (messages: Wire[]): unknown[] =>
  messages.flatMap((each) => each.tool_calls?.map(({ id }) => id) ?? each.tool_call_id ?? []);
const user = message('user', text('hi'));

describe('pairs on the wire', () => {
  it('drops a result whose call is gone, wherever it stands (A01 A04 A05)', () => {
    expect(
      roles(wire(message('tool', result('c1')), user, message('tool', result('c2'), text('RESULT')), user)),
    ).toEqual(['user', 'user']);
  });

  it('answers a call whose result is gone (A02)', () => {
    const [assistant, tool] = wire(
      message('assistant', call('c1'), call('c2')),
      message('tool', result('c2')),
      user,
    );
    expect(assistant?.tool_calls).toHaveLength(2);
    expect(tool?.content).toMatch(/no result/);
  });

  it('puts a result right behind its call when something came between', () => {
    expect(roles(wire(message('assistant', call('c1')), user, message('tool', result('c1'))))).toEqual([
      'assistant',
      'tool',
      'user',
    ]);
  });

  it('says that a tool gave nothing instead of sending nothing (A10)', () => {
    expect(wire(message('assistant', call('c1')), message('tool', result('c1', '')))[1]?.content).toBe(
      '(no output)',
    );
  });

  it('gives each result to its own turn when a server reuses ids (A18)', () => {
    const turn = (value: string) => [
      message('assistant', call('call_0')),
      message('tool', result('call_0', value)),
    ];
    const messages = wire(...turn('first'), user, ...turn('second'));
    expect(messages.map(({ content }) => content)).toEqual([null, 'first', 'hi', null, 'second']);
    const [a, b, c, d] = ids(messages);
    expect(a).toBe('call_0');
    expect([b, d]).toEqual([a, c]);
    expect(c).not.toBe(a);
  });

  it('gives no result to an earlier turn that lost its own (A18)', () => {
    const lost = message('assistant', call('call_0'));
    const messages = wire(
      lost,
      user,
      message('assistant', call('call_0')),
      message('tool', result('call_0', 'second')),
    );
    expect(messages[1]?.content).toMatch(/no result/);
    expect(messages.at(-1)?.content).toBe('second');
  });

  it('tells calls apart that have one id in one turn (A19)', () => {
    const messages = wire(
      message('assistant', call(''), call('')),
      message('tool', result('', 'one')),
      message('tool', result('', 'two')),
    );
    expect(messages.slice(1).map(({ content }) => content)).toEqual(['one', 'two']);
    expect(new Set(ids(messages)).size).toBe(2);
  });

  it.each([
    'functions.write_todos:0',
    `call_x|fc_${'a'.repeat(60)}`,
    'x'.repeat(43),
    `${'y'.repeat(64)}1`,
    `${'y'.repeat(64)}2`,
    '😀',
  ])('makes an id of another provider safe, the same for call and result: %s (A16 A17)', (id) => {
    const [one, two] = ids(wire(message('assistant', call(id)), message('tool', result(id))));
    expect(one).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(two).toBe(one);
    expect(ids(wire(message('assistant', call(id)), message('tool', result(id))))[0]).toBe(one);
  });

  it('keeps two long ids with the same beginning apart (A16)', () => {
    const long = ['1', '2'].map((end) => 'y'.repeat(64) + end);
    const sent = ids(wire(message('assistant', ...long.map((id) => call(id)))));
    expect(sent[0]).not.toBe(sent[1]);
  });
});

describe('content on the wire', () => {
  it('leaves out what is empty (A09)', () => {
    expect(
      wire(message('assistant', text('')), message('user', text('')), message('assistant'), user),
    ).toHaveLength(1);
  });

  it('leaves out reasoning, and with it a message that is nothing else (A15 A21)', () => {
    const opaque = { driver: 'processor-anthropic', model: 'm', data: 'sig' };
    const thinking = { type: 'thinking', text: 'hm', opaque } as const;
    const messages = wire(message('assistant', thinking), user, message('assistant', thinking, text('ok')));
    expect(messages.map(({ content }) => content)).toEqual(['hi', 'ok']);
  });

  it('sends neighbours of one role, and system messages at their place (A07 A08)', () => {
    expect(roles(wire(user, user, message('system', text('memory pressure')), user))).toEqual([
      'user',
      'user',
      'system',
      'user',
    ]);
  });

  it('keeps every digit of the arguments (A28)', () => {
    const args = '{"id": 2512292042121000001}';
    expect(wire(message('assistant', call('c1', args)))[0]?.tool_calls?.[0]?.function.arguments).toBe(args);
  });

  it.each(['{"q":"abc', '', '[]', 'null'])('replaces arguments that are no object: %s (A23 A27)', (args) => {
    expect(wire(message('assistant', call('c1', args)))[0]?.tool_calls?.[0]?.function.arguments).toBe('{}');
  });

  it('makes illegal function names legal', () => {
    const names = ['a b!', '', 'x'.repeat(70)].map((name) => call(`c${name.length}`, '{}', name));
    const sent = wire(message('assistant', ...names))[0]?.tool_calls?.map((each) => each.function.name);
    expect(sent).toEqual(['a_b_', 'unnamed', 'x'.repeat(64)]);
  });

  it('never sends a lone surrogate', () => {
    const broken = 'a\ud800b';
    const messages = wire(
      message('user', text(broken)),
      message('assistant', text(broken), call('c1', `{"a":"${broken}"}`)),
      message('tool', result('c1', broken)),
    );
    expect(messages[0]?.content).toBe('a\ufffdb');
  });

  it('names a speaker only where every server takes the name', () => {
    const [ada, lovelace] = wire({ ...user, name: 'Ada' }, { ...user, name: 'Ada Lovelace' });
    expect(ada?.name).toBe('Ada');
    expect(lovelace).not.toHaveProperty('name');
  });

  it('sends images to models that read them, and words to others (A32)', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
    const [seen] = wire(message('user', text('look'), image));
    expect(seen?.content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    ]);
    const blind = toChatBody(request([message('user', image)]), { ...settings, images: false });
    expect(blind.messages[1]?.content).toMatch(/cannot be shown/);
  });
});

describe('the rest of the body', () => {
  const tools = [
    { name: 'look', description: 'Looks \ud800.', parameters: { type: 'object', properties: {} } },
  ];

  it('declares tools, and asks for one call at a time only when told to', () => {
    const body = toChatBody(request([user], { tools }), { ...settings, parallelCalls: false });
    expect(validateChatRequest(body)).toEqual([]);
    expect(body.parallel_tool_calls).toBe(false);
    expect(toChatBody(request([user], { tools }), settings)).not.toHaveProperty('parallel_tool_calls');
    expect(toChatBody(request([user]), { ...settings, parallelCalls: false })).not.toHaveProperty('tools');
  });

  it('limits the output to what was asked and to what the model can (A37)', () => {
    expect(toChatBody(request([user]), settings).max_completion_tokens).toBe(500);
    const old = { ...settings, maxOutput: 300, outputLimitField: 'max_tokens' } as const;
    const body = toChatBody(request([user]), old);
    expect(body.max_tokens).toBe(300);
    expect(body).not.toHaveProperty('max_completion_tokens');
  });

  it('takes further fields from the options', () => {
    const body = toChatBody(request([user]), { ...settings, temperature: 0, extraBody: { seed: 7 } });
    expect(validateChatRequest(body)).toEqual([]);
    expect(body).toMatchObject({ temperature: 0, seed: 7 });
  });

  it('is refused when nothing at all is left to send', () => {
    const empty = request([message('user', text(''))], { system: '' });
    expect(() => toChatBody(empty, settings)).toThrow(/no text at all/);
  });
});
