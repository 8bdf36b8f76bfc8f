import { describe, expect, it } from 'vitest';
import { validateChatRequest } from '../src/index.js';

const user = { role: 'user', content: 'hi' };
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const callWith = (change: object) => {
  const fn = { name: 'look', arguments: '{}', ...change };
  return { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: fn }] };
};
const problems = (messages: object[], more: object = {}) =>
  validateChatRequest({ model: 'gpt-4o', messages, ...more }).join('; ');

describe('the request validator accepts', () => {
  it.each([
    ['one user message', [user]],
    ['a call and its result', [user, calls('a'), result('a')]],
    ['parallel calls answered in any order', [user, calls('a', 'b'), result('b'), result('a'), user]],
    ['the same id in two turns', [calls('a'), result('a'), calls('a'), result('a')]],
    [
      'system messages anywhere, and two of a role in a row',
      [user, { role: 'system', content: 's' }, user, user],
    ],
    ['a speaker in any script', [{ ...user, name: 'Zoë' }]],
  ])('%s', (_title, messages) => {
    expect(problems(messages)).toBe('');
  });
});

describe('the request validator refuses', () => {
  it.each([
    ['no message', [], /fewer than 1/],
    ['an orphaned result (A01)', [user, result('a')], /must be a response/],
    ['a result after another message', [calls('a'), user, result('a')], /must be a response/],
    ['a result that is there twice', [calls('a'), result('a'), result('a')], /must be a response/],
    ['an unanswered call (A02)', [calls('a', 'b'), result('a'), user], /none for b/],
    ['an unanswered call at the end', [user, calls('a')], /none for a/],
    ['one id twice in a turn (A19)', [calls('a', 'a'), result('a')], /duplicate/],
    ['an empty id (A19)', [calls(''), result('')], /1 to 40 characters/],
    ['an id of 41 characters (A17)', [calls('x'.repeat(41)), result('x'.repeat(41))], /1 to 40 characters/],
    ['an illegal function name', [callWith({ name: 'a b!' }), result('a')], /does not match/],
    ['broken arguments (A23)', [callWith({ arguments: '{"q":"abc' }), result('a')], /JSON text of an object/],
    ['arguments that are no object', [callWith({ arguments: '[]' }), result('a')], /JSON text of an object/],
    ['an assistant message with nothing (A09)', [{ role: 'assistant' }], /needs content/],
    ['an empty assistant text (A09)', [{ role: 'assistant', content: '' }], /must not be empty/],
    ['an empty user text', [{ role: 'user', content: '' }], /must not be empty/],
    ['an empty result (A10)', [calls('a'), { ...result('a'), content: '' }], /must not be empty/],
    ['a speaker with a blank', [{ ...user, name: 'Ada Lovelace' }], /pattern/],
    ['a lone surrogate', [{ role: 'user', content: 'a\ud800' }], /lone surrogate/],
    ['a field of ours', [{ ...user, session: 's1' }], /'session' was unexpected/],
    ['an unknown role', [{ role: 'human', content: 'x' }], /allowed values/],
  ])('%s', (_title, messages, why) => {
    expect(problems(messages)).toMatch(why);
  });

  it.each([
    ['an empty tool list', { tools: [] }, /too short/],
    ['a tool name of 65 characters', { tools: [tool('x'.repeat(65))] }, /does not match/],
    ['two tools of one name', { tools: [tool('a'), tool('a')] }, /twice/],
    ['parallel_tool_calls without tools', { parallel_tool_calls: true }, /only allowed/],
    ['stream_options without stream', { stream_options: { include_usage: true } }, /only allowed/],
    ['an argument it does not know', { top_k: 3 }, /unrecognized/],
    ['a temperature of 3', { temperature: 3 }, /temperature/],
    ['no room for an answer', { max_completion_tokens: 0 }, /less than 1/],
  ])('%s', (_title, more, why) => {
    expect(problems([user], more)).toMatch(why);
  });

  it('reads `nullable` as the description means it', () => {
    expect(problems([user], { max_completion_tokens: null, stop: null })).toBe('');
  });
});

function tool(name: string): object {
  return { type: 'function', function: { name, parameters: { type: 'object', properties: {} } } };
}
