import type { InferRequest, Message, Part } from '@pagefault/contracts';
import { signerOf, validateMessagesRequest, type ModelRules, type WireBlock } from '@pagefault/doubles';
import { describe, expect, it } from 'vitest';
import { redactedPart, thinkingPart } from '../src/reasoning.js';
import { toMessagesBody, type RequestSettings } from '../src/request.js';
import { call, lookTool, message, request, result, settings, text } from './helpers.js';

type Wire = { role: string; content: WireBlock[] };

/** The messages on the wire of a request that the service accepts. */
function wire(
  messages: readonly Message[],
  change: Partial<InferRequest> = {},
  more: Partial<RequestSettings> = {},
  rules: Partial<ModelRules> = {},
): Wire[] {
  const body = toMessagesBody(request(messages, { tools: [lookTool], ...change }), { ...settings, ...more });
  expect(validateMessagesRequest(body, rules)).toEqual([]);
  return body.messages as unknown as Wire[];
}

const roles = (messages: Wire[]): string[] => messages.map(({ role }) => role);
const blocks = (messages: Wire[]): WireBlock[] => messages.flatMap(({ content }) => content);
const types = (messages: Wire[]): string[][] =>
  messages.map(({ content }) => content.map(({ type }) => type));
const results = (messages: Wire[]) => blocks(messages).filter((block) => block.type === 'tool_result');
const calls = (messages: Wire[]) => blocks(messages).filter((block) => block.type === 'tool_use');
const texts = (messages: Wire[]): string[] =>
  blocks(messages).flatMap((block) => (block.type === 'text' ? [block.text] : []));
const user = message('user', text('hi'));

describe('turns on the wire', () => {
  it('begin with a user, whatever was evicted before them (A06)', () => {
    expect(texts(wire([message('assistant', text('hi')), user]))).toEqual([
      '(earlier messages are not shown)',
      'hi',
      'hi',
    ]);
  });

  it('merge neighbours of one role, with results first (A07)', () => {
    const messages = wire([
      user,
      message('user', text('b')),
      message('assistant', text('x')),
      message('assistant', call('c1')),
      message('user', text('wait')),
      message('tool', result('c1')),
    ]);
    expect(types(messages)).toEqual([
      ['text', 'text'],
      ['text', 'tool_use'],
      ['tool_result', 'text'],
    ]);
  });

  it('keep a system message at its place, as marked text of the user (A08)', () => {
    const messages = wire([user, message('system', text('memory 70% full')), user]);
    expect(roles(messages)).toEqual(['user']);
    expect(texts(messages)[1]).toBe('<system-message>\nmemory 70% full\n</system-message>');
  });

  it('end with a user: no model takes the end of its own text, with or without white space, for a prompt (A11)', () => {
    const messages = wire([user, message('assistant', text('ok \n'))], {}, {}, { prefill: false });
    expect(messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: '(go on)' }] });
  });

  it('hold nothing empty or blank (A09)', () => {
    const messages = wire([
      message('assistant', text('')),
      message('user', text(' \n')),
      message('assistant'),
      message('system', text('')),
      user,
    ]);
    expect(blocks(messages)).toHaveLength(1);
  });
});

describe('pairs on the wire', () => {
  it('drop a result whose call is gone, wherever it stands (A01 A04 A05)', () => {
    const lost = [message('tool', result('c1')), user, message('tool', result('c2'), text('RESULT')), user];
    expect(results(wire(lost))).toEqual([]);
  });

  it('answer a call whose result is gone (A02)', () => {
    const messages = wire([
      user,
      message('assistant', call('c1'), call('c2')),
      message('tool', result('c2')),
      user,
    ]);
    expect(results(messages).map(({ content }) => content)).toEqual([
      expect.stringMatching('no result'),
      'ok',
    ]);
  });

  it('put a result right behind its call when something came between (A01)', () => {
    const messages = wire([user, message('assistant', call('c1')), user, message('tool', result('c1'))]);
    expect(types(messages)).toEqual([['text'], ['tool_use'], ['tool_result', 'text']]);
  });

  it.each(['', ' \n'])('say that a tool gave nothing instead of sending %j (A10)', (value) => {
    const messages = wire([user, message('assistant', call('c1')), message('tool', result('c1', value))]);
    expect(results(messages)[0]?.content).toBe('(no output)');
  });

  it('mark a failure', () => {
    const failed = { ...result('c1', 'no'), isError: true } as Part;
    const messages = wire([user, message('assistant', call('c1')), message('tool', failed)]);
    expect(results(messages)[0]?.is_error).toBe(true);
  });

  it('give each result to its own turn when a server reuses ids, and rename only what collides (A18)', () => {
    const turn = (value: string) => [
      message('assistant', call('call_0')),
      message('tool', result('call_0', value)),
    ];
    const messages = wire([user, ...turn('first'), user, ...turn('second')]);
    expect(results(messages).map(({ content }) => content)).toEqual(['first', 'second']);
    const ids = calls(messages).map(({ id }) => id);
    expect(ids[0]).toBe('call_0');
    expect(ids[1]).not.toBe('call_0');
    expect(results(messages).map(({ tool_use_id }) => tool_use_id)).toEqual(ids);
  });

  it('tell calls apart that have one id in one turn (A19)', () => {
    const messages = wire([
      user,
      message('assistant', call(''), call('')),
      message('tool', result('', 'one')),
      message('tool', result('', 'two')),
    ]);
    expect(results(messages).map(({ content }) => content)).toEqual(['one', 'two']);
    expect(new Set(calls(messages).map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    'functions.write_todos:0',
    `call_x|fc_${'a'.repeat(60)}`,
    `${'y'.repeat(64)}1`,
    `${'y'.repeat(64)}2`,
    '😀',
  ])('make an id of another provider safe, the same for call and result and each time: %s (A16)', (id) => {
    const history = [user, message('assistant', call(id)), message('tool', result(id))];
    const messages = wire(history);
    const [one] = calls(messages);
    expect(one?.id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(results(messages)[0]?.tool_use_id).toBe(one?.id);
    expect(calls(wire(history))[0]?.id).toBe(one?.id);
  });

  it('keep two long ids with the same beginning apart (A16)', () => {
    const long = ['1', '2'].map((end) => call('y'.repeat(64) + end));
    const ids = calls(wire([user, message('assistant', ...long)])).map(({ id }) => id);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('declare the functions of a history that is sent without any, and let none be called', () => {
    const history = [user, message('assistant', call('c1')), message('tool', result('c1'))];
    const body = toMessagesBody(request(history), settings);
    expect(validateMessagesRequest(body)).toEqual([]);
    expect(body).toMatchObject({ tools: [{ name: 'look' }], tool_choice: { type: 'none' } });
  });
});

describe('arguments on the wire', () => {
  const input = (args: string) => calls(wire([user, message('assistant', call('c1', args))]))[0]?.input;

  it('keep every digit of a number that would lose some, as text (A28)', () => {
    expect(
      input('{"id": 2512292042121000001, "n": [7, 1.5, -9007199254740993], "s": "12345678901234567890"}'),
    ).toEqual({
      id: '2512292042121000001',
      n: [7, 1.5, '-9007199254740993'],
      s: '12345678901234567890',
    });
    expect(input('{"big": 1e999}')).toEqual({ big: '1e999' });
  });

  it.each(['{"q":"abc', '', '[]', 'null'])('become {} where they are no object: %s (A23 A27)', (args) => {
    expect(input(args)).toEqual({});
  });

  it('keep odd names, and no half characters', () => {
    expect(JSON.stringify(input('{"__proto__":1,"a\\ud800":"\\udc00"}'))).toBe(
      '{"__proto__":1,"a\ufffd":"\ufffd"}',
    );
  });
});

describe('content on the wire', () => {
  it('names a speaker in front of the text', () => {
    expect(texts(wire([{ ...user, name: 'Ada Lovelace' }, user]))).toEqual(['Ada Lovelace: hi', 'hi']);
  });

  it('shows images to models that see, and words to others (A32)', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
    const source = { type: 'base64', media_type: 'image/png', data: 'aGk=' };
    expect(blocks(wire([message('user', text('look'), image)]))[1]).toEqual({ type: 'image', source });
    for (const [odd, more] of [
      [image, { images: false }],
      [{ ...image, mediaType: 'image/bmp' }, {}],
      [{ ...image, data: 'not base64' }, {}],
    ] as const)
      expect(texts(wire([message('user', odd)], {}, more))[0]).toMatch('cannot be shown');
  });

  it('has no lone surrogate', () => {
    const broken = 'a\ud800b';
    const messages = wire([
      { ...message('user', text(broken)), name: broken },
      message('assistant', text(broken), call('c1', `{"a":"${broken}"}`)),
      message('tool', result('c1', broken)),
    ]);
    expect(texts(messages)[0]).toBe('a\ufffdb: a\ufffdb');
  });
});

describe('thinking on the wire', () => {
  const signer = signerOf(settings.model);
  const own = thinkingPart(settings.model, 'hm\n\u{1F914}', signer.sign('hm\n\u{1F914}', 'p'));
  const hidden = redactedPart(settings.model, signer.seal('secret', 'p'));
  const open = [user, message('assistant', own, hidden, call('c1')), message('tool', result('c1'))];
  const closed = [user, message('assistant', own, text('ok')), user];
  const budget = { thinking: 1_024, maxOutput: 4_000 };
  const long = { maxOutput: 4_000 };

  it('is sent back byte for byte, hidden thinking too, in front of the call it led to (A13)', () => {
    const sent = wire(open, long, budget)[1]?.content ?? [];
    expect(sent.map(({ type }) => type)).toEqual(['thinking', 'redacted_thinking', 'tool_use']);
    expect(sent[0]).toEqual({
      type: 'thinking',
      thinking: 'hm\n\u{1F914}',
      signature: own.opaque && expect.any(String),
    });
  });

  it('is left out when another driver or another model made it; text and pairs stay (A15)', () => {
    const openai = {
      type: 'thinking',
      text: 'x',
      opaque: { driver: 'processor-openai', model: 'gpt-5', data: 'e' },
    } as const;
    const elder = thinkingPart('claude-opus-4-5', 'x', 'sig');
    const messages = wire(
      [user, message('assistant', openai, elder, text('ok'), call('c1')), user],
      {},
      { thinking: 'adaptive' },
    );
    expect(types(messages)[1]).toEqual(['text', 'tool_use']);
  });

  it('is left out alone, and at the end of a turn (A21)', () => {
    const messages = wire(
      [user, message('assistant', own), message('assistant', text('ok'), own), user],
      {},
      { thinking: 'adaptive' },
    );
    expect(types(messages)[1]).toEqual(['text']);
  });

  it('is not asked for where the turn that goes on was begun without it (A13 A15)', () => {
    const begun = [user, message('assistant', call('c1')), message('tool', result('c1'))];
    const body = toMessagesBody(request([...closed, ...begun], { tools: [lookTool], ...long }), {
      ...settings,
      ...budget,
    });
    expect(validateMessagesRequest(body)).toEqual([]);
    expect(body).not.toHaveProperty('thinking');
    expect(JSON.stringify(body.messages)).not.toMatch('signature');
    const next = toMessagesBody(
      request([...closed, ...begun, message('assistant', text('done')), user], {
        tools: [lookTool],
        ...long,
      }),
      { ...settings, ...budget },
    );
    expect(next.thinking).toEqual({ type: 'enabled', budget_tokens: 1_024 });
  });

  it('takes at most half of the reply, and none where that is too little', () => {
    const asked = (maxOutput: number) =>
      toMessagesBody(request([user], { maxOutput }), { ...settings, thinking: 8_000, maxOutput: 16_000 })
        .thinking;
    expect(asked(16_000)).toEqual({ type: 'enabled', budget_tokens: 8_000 });
    expect(asked(6_000)).toEqual({ type: 'enabled', budget_tokens: 3_000 });
    expect(asked(1_500)).toEqual({ type: 'enabled', budget_tokens: 1_024 });
    expect(asked(1_024)).toBeUndefined();
  });

  it('is left out where the model does not think, or not any more', () => {
    for (const thinking of ['disabled', undefined] as const)
      expect(types(wire(open, {}, { thinking }))[1]).toEqual(['tool_use']);
    const rules = { alwaysThinks: true };
    expect(types(wire(open, {}, { thinksByDefault: true }, rules))[1]).toEqual([
      'thinking',
      'redacted_thinking',
      'tool_use',
    ]);
  });

  it('of a model that binds it to its prefix is left out, since every flush and every tail changes that', () => {
    const rules = { alwaysThinks: true, bindsThinking: true } as const;
    const more = { thinksByDefault: true, replayThinking: false };
    expect(types(wire(open, {}, more, rules))[1]).toEqual(['tool_use']);
    const bound = toMessagesBody(request(open, { tools: [lookTool] }), {
      ...settings,
      thinksByDefault: true,
    });
    expect(validateMessagesRequest(bound, rules).join()).toMatch('different conversation');
  });
});

describe('cache marks', () => {
  const history = [
    message('system', text('blocks')),
    message('user', text('one'), text('two')),
    message('assistant', text('x'), call('c1')),
    message('tool', result('c1')),
    message('system', text('tail')),
  ];
  const marks = (breakpoints: number[], more: Partial<RequestSettings> = {}, messages = history) => {
    const body = toMessagesBody(request(messages, { tools: [lookTool], breakpoints }), {
      ...settings,
      ...more,
    });
    expect(validateMessagesRequest(body)).toEqual([]);
    const all = [
      body.tools ?? [],
      body.system ?? [],
      ...body.messages.map(({ content }) => content),
    ].flat() as object[];
    return all.map((block) => ('cache_control' in block ? block.cache_control : undefined));
  };
  const mark = { type: 'ephemeral' };
  // tools: 1, system: 1, blocks: 1, user: 2, assistant: 2, result: 1, tail: 1.

  it('stand behind the system text and behind the messages that the layout names (A56 A58)', () => {
    expect(marks([0, 1, 2, 4])).toEqual([
      undefined,
      mark,
      mark,
      undefined,
      mark,
      undefined,
      undefined,
      mark,
      undefined,
    ]);
  });

  it('are never more than four, nor twice in one place (A58)', () => {
    const turns = [user, message('assistant', text('a')), user, message('assistant', text('b')), user];
    expect(marks([0, 1, 2, 3, 4], {}, turns).filter(Boolean)).toHaveLength(4);
    expect(marks([0, 1, 1, 1]).filter(Boolean)).toHaveLength(2);
  });

  it('never stand on thinking, since no message ends with it (A58)', () => {
    const thought = thinkingPart(settings.model, 'hm', signerOf(settings.model).sign('hm', 'p'));
    const messages = [message('user', text('one')), message('assistant', thought, text('x')), user];
    const own = (breakpoints: number[]) => marks(breakpoints, { thinking: 'adaptive' }, messages);
    expect(own([2])).toEqual([undefined, undefined, undefined, undefined, mark, undefined]);
    const empty = [message('user', text('one')), message('assistant', thought), user];
    expect(marks([2], { thinking: 'adaptive' }, empty)).toEqual([undefined, undefined, mark, undefined]);
  });

  it('stand behind the tools when there is no system text', () => {
    const body = toMessagesBody(
      request([user], { tools: [lookTool], system: '', breakpoints: [0] }),
      settings,
    );
    expect(body.tools?.[0]).toMatchObject({ cache_control: mark });
  });

  it('last as long as asked for, or are left out', () => {
    expect(marks([0, 1], { cache: '1h' }).filter(Boolean)).toEqual([
      { ...mark, ttl: '1h' },
      { ...mark, ttl: '1h' },
    ]);
    expect(marks([0, 1], { cache: 'off' }).filter(Boolean)).toEqual([]);
  });
});

describe('the rest of the body', () => {
  it('declares tools, and asks for one call at a time only when told to', () => {
    const tools = [{ ...lookTool, description: 'Looks \ud800.' }];
    const body = toMessagesBody(request([user], { tools }), { ...settings, parallelCalls: false });
    expect(validateMessagesRequest(body)).toEqual([]);
    expect(body.tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true });
    expect(toMessagesBody(request([user], { tools }), settings)).not.toHaveProperty('tool_choice');
  });

  it('limits the output to what was asked and to what the model can (A37)', () => {
    expect(toMessagesBody(request([user]), settings).max_tokens).toBe(500);
    expect(toMessagesBody(request([user]), { ...settings, maxOutput: 300 }).max_tokens).toBe(300);
  });

  it('takes further fields from the options', () => {
    const body = toMessagesBody(request([user]), {
      ...settings,
      extraBody: { output_config: { effort: 'low' } },
    });
    expect(validateMessagesRequest(body)).toEqual([]);
    expect(body.output_config).toEqual({ effort: 'low' });
  });

  it('can be sent with nothing but a system text, and is refused when nothing at all is left', () => {
    expect(texts(wire([]))).toEqual(['(go on)']);
    const empty = request([message('user', text(''))], { system: ' ' });
    expect(() => toMessagesBody(empty, settings)).toThrow(/no text at all/);
  });
});
