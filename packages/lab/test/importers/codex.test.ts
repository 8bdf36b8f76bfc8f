import { describe, expect, it } from 'vitest';
import { detect, filesOf, traceSource } from '../../src/index.js';
import { imported, told, useFolder } from '../support/imports.js';

const SALT = { salt: 'salt' };
let count = 0;
const line = (type: string, payload: object, second = 0) => ({
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  type,
  payload,
});
const meta = (id = 'secret-session', more: object = {}) =>
  line('session_meta', { id, cwd: '/secret', ...more });
const item = (payload: object, second = 0) => line('response_item', payload, second);
const says = (role: string, text: string, second = 0) =>
  item({ type: 'message', role, content: [{ type: 'input_text', text }] }, second);
const calls = (id: string, name: string, args: object, second = 0) =>
  item({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) }, second);
const runs = (id: string, cmd: string, more: object = {}) => calls(id, 'exec_command', { cmd, ...more });
const result = (id: string, output: unknown) => item({ type: 'function_call_output', call_id: id, output });
const used = (input: number, cached: number, out: number, more: object = {}) => {
  const last = { input_tokens: input, cached_input_tokens: cached, output_tokens: out, ...more };
  const total = { input_tokens: (count += input) };
  return line('event_msg', {
    type: 'token_count',
    info: { last_token_usage: last, total_token_usage: total },
  });
};

describe('a log of Codex', () => {
  const folder = useFolder();
  const take = async (lines: readonly unknown[], options = {}, name = 'rollout-a.jsonl') => {
    const { lines: made, skipped } = await imported('codex', await folder.write(name, lines), {
      ...SALT,
      ...options,
    });
    return { made, skipped, told: told(made) };
  };
  const stepsOf = async (lines: readonly unknown[]) =>
    (await take([meta(), ...lines])).told
      .filter((one) => one.startsWith('step'))
      .map((one) => one.replace(/.*needs /, ''));

  it('makes a step of the items of a reply, and keeps what was billed of it', async () => {
    const lines = [
      meta('s', { base_instructions: { text: 'be brief' } }),
      says('developer', 'ask first'),
      says('user', '<environment_context>x</environment_context>'),
      says('user', 'go on now', 1),
      item({ type: 'reasoning', summary: [], encrypted_content: 'gAAAAA' }, 3),
      item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look' }] }, 4),
      runs('a', 'ls'),
      used(900, 800, 40, { reasoning_output_tokens: 30 }),
      result('a', 'x.ts'),
      says('assistant', 'done', 9),
      used(950, 900, 5, { cache_write_input_tokens: 20 }),
    ];
    expect((await take(lines)).told).toEqual([
      'system 2',
      'system 3',
      'system 11',
      'user 3',
      'step at 0 needs nothing',
      'read 800 wrote 0 plain 100 out 40',
      'assistant 32',
      'tool_call 6',
      'tool_result 1',
      'step at 6000 needs nothing',
      'read 900 wrote 20 plain 30 out 5',
      'assistant 1',
    ]);
  });

  it('knows a reply also where its usage comes first and results stand between its calls', async () => {
    const lines = [
      meta(),
      says('user', 'go on now'),
      used(900, 0, 40),
      runs('a', 'ls'),
      result('a', 'x.ts'),
      runs('b', 'pwd'),
      result('b', '/'),
      used(990, 900, 7),
      says('assistant', 'done'),
    ];
    expect((await take(lines)).told.filter((one) => /step|read/.test(one))).toEqual([
      'step at 0 needs nothing',
      'read 0 wrote 0 plain 900 out 40',
      'step at 0 needs nothing',
      'read 900 wrote 0 plain 90 out 7',
    ]);
  });

  it('counts usage once that is told again with news of limits, and steps without any by their results', async () => {
    const again = used(900, 0, 40);
    const lines = [meta(), says('assistant', 'a'), again, again, says('assistant', 'b'), used(990, 900, 7)];
    expect((await take(lines)).told.filter((one) => one.startsWith('read'))).toHaveLength(2);
    expect(await stepsOf([runs('a', 'ls'), result('a', 'x'), says('assistant', 'b')])).toHaveLength(2);
  });

  it('needs the newest reading of a file that is shown again, in whatever part and by whatever command', async () => {
    const shown = [
      runs('a', 'cat src/a.ts'),
      result('a', 'text'),
      calls('b', 'shell', { command: ['bash', '-lc', "sed -n '1,20p' a.ts"], workdir: 'src' }),
      result('b', 'text'),
      runs('c', 'nl -ba /secret/src/a.ts | head -n 40'),
      result('c', 'text'),
      runs('d', 'cat src/a.ts src/b.ts'),
      result('d', 'text'),
      runs('e', 'cat src/a.ts > src/b.ts'),
      result('e', 'text'),
      calls('f', 'read_file', { path: 'src/a.ts' }),
      result('f', 'text'),
    ];
    expect(await stepsOf(shown)).toEqual(['nothing', '1', '3', 'nothing', 'nothing', '5']);
  });

  it('needs the result of a call that is made again, not of a program that goes on or a command that failed', async () => {
    const made = [
      runs('a', 'rg needle', { max_output_tokens: 100 }),
      result('a', 'Process exited with code 0\nOutput:\nhit'),
      runs('b', 'rg needle', { max_output_tokens: 900 }),
      result('b', 'Process exited with code 1\nOutput:\n'),
      runs('c', 'rg needle'),
      result('c', [{ type: 'input_text', text: 'hit' }]),
      calls('d', 'write_stdin', { session_id: 1, chars: '' }),
      result('d', 'x'),
      calls('e', 'write_stdin', { session_id: 1, chars: '' }),
      result('e', { content: 'no', success: false }),
      item({ type: 'custom_tool_call', call_id: 'f', name: 'apply_patch', input: '*** Begin' }),
      item({
        type: 'custom_tool_call_output',
        call_id: 'f',
        output: '{"output":"no","metadata":{"exit_code":1}}',
      }),
      item({ type: 'custom_tool_call', call_id: 'g', name: 'apply_patch', input: '*** Begin' }),
      item({ type: 'local_shell_call', call_id: 'h', action: { type: 'exec', command: ['rg', 'needle'] } }),
    ];
    const { told: lines } = await take([meta(), ...made]);
    expect(lines.filter((one) => /step|failed|supersedes/.test(one))).toEqual([
      'step at 0 needs nothing',
      'step at 0 needs 1',
      'tool_result 9 failed',
      'step at 0 needs 1',
      '5 supersedes 1',
      'step at 0 needs nothing',
      'step at 0 needs nothing',
      'tool_result 1 failed',
      'step at 0 needs nothing',
      'tool_result 11 failed',
      'step at 0 needs 5',
    ]);
  });

  it('has a boundary before what a compaction leaves, and between sessions of one file', async () => {
    const lines = [
      meta(),
      says('user', 'x'),
      line('compacted', { message: 'in short' }),
      line('compacted', { message: '', replacement_history: [{ role: 'user', content: [{ text: 'sum' }] }] }),
      meta(),
      meta('other'),
      says('user', 'y'),
    ];
    expect((await take(lines)).told).toEqual([
      'user 1',
      'compact',
      'summary 2',
      'compact',
      'summary 1',
      'session_end',
      'user 1',
    ]);
  });

  it('reads a log of before, whose lines hold bare items', async () => {
    const bare = (payload: object) => payload;
    const lines = [
      { id: 'old', timestamp: '2025-06-01T00:00:00Z', instructions: null },
      bare({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }),
      { record_type: 'state' },
      bare({ type: 'function_call', call_id: 'a', name: 'shell', arguments: '{"command":["ls"]}' }),
      bare({ type: 'function_call_output', call_id: 'a', output: 'x' }),
    ];
    const { told: made, skipped } = await take(lines);
    expect(made).toEqual(['user 1', 'step at 0 needs nothing', 'tool_call 6', 'tool_result 1']);
    expect(skipped).toMatchObject([{ line: 3, why: 'it is no message' }]);
    expect(await detect(folder.path('rollout-a.jsonl'))).toBe(traceSource('codex'));
  });

  it('leaves out what a session has from the one that it goes on from, but not what all sessions begin with', async () => {
    const first = [says('developer', 'be brief'), says('user', 'one'), runs('a', 'ls'), result('a', 'x')];
    const files = [
      await folder.write('1.jsonl', [meta('1'), ...first]),
      await folder.write('2.jsonl', [
        meta('2', { forked_from_id: '1', base_instructions: { text: 'own' } }),
        meta('1'),
        ...first,
        used(100, 90, 5),
        says('user', 'two'),
        runs('b', 'pwd'),
      ]),
      await folder.write('3.jsonl', [meta('3'), says('developer', 'be brief'), says('user', 'three')]),
    ];
    const { lines, skipped } = await imported('codex', files);
    expect(told(lines)).toEqual([
      'system 2',
      'user 1',
      'step at 0 needs nothing',
      'tool_call 6',
      'tool_result 1',
      'session_end',
      'system 1',
      'user 1',
      'step at 3600000 needs nothing',
      'tool_call 7',
      'session_end',
      'system 2',
      'user 2',
    ]);
    expect(skipped.map(({ why }) => why)).toEqual(Array<string>(5).fill('it is there already'));
  });

  it('leaves out the work that a session gave to others, or takes it as sessions of their own', async () => {
    const lines = [meta('child', { source: { subagent: { thread_spawn: {} } } }), says('assistant', 'x')];
    const { told: without, skipped } = await take(lines);
    expect(without).toEqual([]);
    expect(skipped).toMatchObject([{ why: 'it is of a sidechain' }]);
    expect((await take(lines, { sidechains: 'sessions' })).told).toHaveLength(2);
  });

  it('lets no name and no text out', async () => {
    const { made } = await take([
      meta(),
      says('user', 'secret words'),
      runs('a', 'cat secret.ts'),
      result('a', 'x'),
    ]);
    expect(JSON.stringify(made)).not.toMatch(/secret|words|rollout-a|2026/);
  });

  it('says what is broken or unknown, and goes on: a byte order mark, lines ended as in Windows, a cut last line', async () => {
    const text = [
      `\uFEFF${JSON.stringify(meta())}`,
      JSON.stringify(says('user', 'x')),
      '',
      '[]',
      '{"type":"future","payload":{}}',
      '{"type":"response_item"}',
      JSON.stringify(item({ type: 'ghost_snapshot' })),
      JSON.stringify(item({ type: 7 })),
      JSON.stringify(line('session_meta', {})),
      JSON.stringify(line('event_msg', { type: 'token_count', info: null })),
      JSON.stringify(says('user', 'y')).slice(0, -9),
    ].join('\r\n');
    const file = await folder.write('rollout-b.jsonl', text);
    const { lines, skipped } = await imported('codex', file);
    expect(told(lines)).toEqual(['user 1']);
    expect(skipped.map(({ line: at, why }) => `${at}: ${why}`)).toEqual([
      '4: it is no object',
      '5: its type is not known',
      '6: it has no payload',
      '7: it is no message',
      '8: its type is not as expected',
      '9: its id is not as expected',
      '10: it is no message',
      '11: it is not JSON',
    ]);
    expect(await detect(file)).toBe(traceSource('codex'));
  });

  it('is found in a folder by its name', async () => {
    const file = await folder.write('rollout-2026-01-01.jsonl', [meta()]);
    await folder.write('history.jsonl', [{ session_id: 'x', text: 'hello' }]);
    expect(await filesOf(traceSource('codex'), [folder.path('.')])).toEqual([file]);
  });
});
