import { describe, expect, it } from 'vitest';
import { signerOf, validateMessagesRequest } from '../../src/index.js';
import type { ModelRules } from '../../src/anthropic/rules.js';
import { prefixHash } from '../../src/anthropic/signature.js';

const model = 'claude-sonnet-4-5';
const look = { name: 'look', input_schema: { type: 'object' } };
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const call = (id: string, more: object = {}) => ({ type: 'tool_use', id, name: 'look', input: {}, ...more });
const result = (id: string, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...more,
});
const thought = (thinking = 'hm') => ({
  type: 'thinking',
  thinking,
  signature: signerOf(model).sign(thinking, 'p'),
});
const mark = { cache_control: { type: 'ephemeral' } };
const hi = user(text('hi'));
const budget = { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_000 };

function problems(messages: unknown[], more: object = {}, rules: Partial<ModelRules> = {}): string {
  return validateMessagesRequest({ model, max_tokens: 100, tools: [look], messages, ...more }, rules).join(
    '; ',
  );
}

describe('the Messages validator accepts', () => {
  it.each<[string, object[], object?]>([
    ['a text as it is', [{ role: 'user', content: 'hi' }]],
    ['neighbours of one role, which it merges', [hi, hi, assistant(text('a')), assistant(text('b')), hi]],
    ['a call and its result', [hi, assistant(call('a')), user(result('a'))]],
    [
      'parallel calls answered in any order, before other text',
      [hi, assistant(call('a'), call('b')), user(result('b'), result('a'), text('go on'))],
    ],
    [
      'results in two neighbouring messages',
      [hi, assistant(call('a'), call('b')), user(result('b')), user(result('a'))],
    ],
    [
      'four cache marks',
      [user(text('hi', mark), text('x', mark))],
      { system: [text('s', mark)], tools: [{ ...look, ...mark }] },
    ],
    [
      'signed thinking in front of the call that is answered',
      [hi, assistant(thought(), call('a')), user(result('a'))],
      budget,
    ],
    ['thinking of an earlier turn, also when it no longer thinks', [hi, assistant(thought(), text('x')), hi]],
    ['the beginning of an answer', [hi, assistant(text('ok'))]],
  ])('%s', (_title, messages, more = {}) => {
    expect(problems(messages, more)).toBe('');
  });
});

describe('the Messages validator refuses', () => {
  it.each<[string, unknown[], RegExp, object?]>([
    ['no message', [], /at least one message/],
    [
      'an answer as the first message (A06)',
      [assistant(text('hi')), hi],
      /first message must use the "user" role/,
    ],
    ['an orphaned result (A01)', [hi, user(result('a'))], /unexpected `tool_use_id`.*a/],
    [
      'a result that is not in the next message (A01)',
      [hi, assistant(call('a')), user(text('x')), assistant(text('y')), user(result('a'))],
      /without `tool_result`/,
    ],
    [
      'a call without its result (A02)',
      [hi, assistant(call('a'), call('b')), user(result('a'))],
      /without `tool_result`.*b/,
    ],
    ['a call at the end', [hi, assistant(call('a'))], /without `tool_result`/],
    [
      'a result that is there twice',
      [hi, assistant(call('a')), user(result('a'), result('a'))],
      /single result/,
    ],
    [
      'results behind other text (A07)',
      [hi, assistant(call('a')), user(text('x'), result('a'))],
      /must come first/,
    ],
    [
      'one id in two turns (A18)',
      [hi, assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))],
      /ids must be unique/,
    ],
    ['an empty id (A19)', [hi, assistant(call('')), user(result(''))], /id: /],
    [
      'an id with a colon (A16)',
      [hi, assistant(call('a:0')), user(result('a:0'))],
      /messages\.1\.content.*(a-zA-Z|Invalid)/,
    ],
    ['an empty message (A09)', [hi, assistant(), hi], /non-empty content/],
    ['an empty text (A09)', [hi, { role: 'assistant', content: '' }, hi], /non-empty/],
    ['a blank text (A09)', [hi, assistant(text(' ')), hi], /non-whitespace/],
    [
      'an empty result (A10)',
      [hi, assistant(call('a')), user(result('a', { content: '' }))],
      /must not be empty/,
    ],
    [
      'an empty text in a result (A10)',
      [hi, assistant(call('a')), user(result('a', { content: [text('')] }))],
      /non-empty/,
    ],
    ['white space at the end of a begun answer (A11)', [hi, assistant(text('ok \n'))], /trailing whitespace/],
    ['a system message among the messages (A08)', [hi, { role: 'system', content: 'x' }], /role/],
    ['a field of ours', [{ ...hi, name: 'Ada' }], /name/],
    ['a lone surrogate', [user(text('a\ud800'))], /lone surrogate/],
    ['input that is no object', [hi, assistant(call('a', { input: [] })), user(result('a'))], /input/],
    [
      'an image that is none',
      [user({ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'aGk=' } })],
      /media_type/,
    ],
    [
      'calls without tools',
      [hi, assistant(call('a')), user(result('a'))],
      /must define tools/,
      { tools: [] },
    ],
    [
      'an image by the assistant',
      [
        hi,
        assistant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }),
        hi,
      ],
      /not permitted/,
    ],
    [
      'thinking that another signed (A15)',
      [hi, assistant({ ...thought(), signature: 'EqoB' }, text('x')), hi],
      /Invalid `signature`/,
    ],
    [
      'thinking that was changed (A13)',
      [hi, assistant({ ...thought(), thinking: 'hm!' }, text('x')), hi],
      /Invalid `signature`/,
    ],
    ['thinking at the end of an answer (A21)', [hi, assistant(thought()), hi], /final block.*thinking/],
    [
      'a continued call without its thinking (A13)',
      [hi, assistant(call('a')), user(result('a'))],
      /Expected `thinking`.*found `tool_use`/,
      budget,
    ],
    [
      'a continued call behind a text, with its thinking after it (A13)',
      [hi, assistant(text('x'), thought(), call('a')), user(result('a'))],
      /found `text`/,
      budget,
    ],
    [
      'thinking in a continued call that no longer thinks',
      [hi, assistant(thought(), call('a')), user(result('a'))],
      /disabled/,
    ],
    ['a mark on thinking (A58)', [hi, assistant({ ...thought(), ...mark }, text('x')), hi], /cache_control/],
    ['a mark on an empty text (A58)', [user(text('x'), text(' ', mark))], /empty text/],
    [
      'five marks (A58)',
      [user(...'abcde'.split('').map((each) => text(each, mark)))],
      /maximum of 4.*Found 5/,
    ],
    [
      'an hour after five minutes',
      [user(text('a', mark), text('b', { cache_control: { type: 'ephemeral', ttl: '1h' } }))],
      /ttl/,
    ],
  ])('%s', (_title, messages, why, more = {}) => {
    expect(problems(messages, more)).toMatch(why);
  });

  it.each<[string, object, RegExp, Partial<ModelRules>?]>([
    ['two tools of one name', { tools: [look, look] }, /unique/],
    ['a tool with a blank in its name', { tools: [{ ...look, name: 'a b' }] }, /name/],
    ['a choice without tools', { tools: [], tool_choice: { type: 'auto' } }, /tool_choice/],
    ['more output than the model gives (A38)', { max_tokens: 70_000 }, /70000 > 64000/],
    ['no output at all', { max_tokens: 0 }, /max_tokens/],
    [
      'a budget that leaves no answer',
      { thinking: { type: 'enabled', budget_tokens: 1_024 } },
      /greater than/,
    ],
    ['a budget for a model that plans its own', budget, /not supported/, { thinking: 'adaptive' }],
    [
      'adaptive thinking of a model that needs a budget',
      { thinking: { type: 'adaptive' } },
      /not supported/,
      { thinking: 'budget' },
    ],
    ['to think not at all', { thinking: { type: 'disabled' } }, /not supported/, { alwaysThinks: true }],
    ['a temperature', { temperature: 0 }, /temperature/],
    ['a begun answer', { messages: [hi, assistant(text('ok'))] }, /prefill/, { prefill: false }],
    ['a field it does not know', { seed: 1 }, /seed/],
  ])('%s', (_title, more, why, rules = {}) => {
    expect(problems([hi], more, rules)).toMatch(why);
  });

  it('thinking behind another conversation, of a model that binds it', () => {
    const request = { model, tools: [look], messages: [hi], system: 's' } as never;
    const prefix = prefixHash(request, [['user', text('hi') as never]]);
    const bound = { type: 'thinking', thinking: 'hm', signature: signerOf(model).sign('hm', prefix) };
    const messages = [hi, assistant(bound, text('x')), hi];
    const binds = { bindsThinking: true, alwaysThinks: true };
    expect(problems(messages, { system: 's' }, binds)).toBe('');
    expect(problems(messages, { system: [text('s', mark)] }, binds)).toBe('');
    expect(problems(messages, { system: 'other' }, binds)).toMatch(/different conversation/);
    expect(problems([hi, ...messages], { system: 's' }, binds)).toMatch(/different conversation/);
  });
});
