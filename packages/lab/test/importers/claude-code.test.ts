import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { imported, told, useFolder } from '../support/imports.js';

const SALT = { salt: 'salt' };
let count = 0;
const line = (type: string, second: number, content: unknown, more: object = {}, message: object = {}) => ({
  type,
  uuid: `line-${++count}`,
  sessionId: 'secret-session',
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  ...more,
  message: { content, ...message },
});
const says = (second: number, text: string, more: object = {}) => line('user', second, text, more);
const calls = (second: number, id: string, name: string, input: object, message: object = {}) =>
  line('assistant', second, [{ type: 'tool_use', id, name, input }], {}, { id: `reply-${id}`, ...message });
const result = (second: number, id: string, content: string, is_error = false) =>
  line('user', second, [{ type: 'tool_result', tool_use_id: id, content, is_error }]);
const read = (second: number, id: string, path = 'src/secret.ts', more = {}) =>
  calls(second, id, 'Read', { file_path: path, ...more });

describe('a log of Claude Code', () => {
  const folder = useFolder();
  const take = async (lines: readonly unknown[], options = {}) => {
    const { lines: made, skipped } = await imported('claude-code', await folder.write('a.jsonl', lines), {
      ...SALT,
      ...options,
    });
    return { made, skipped, told: told(made) };
  };

  it('needs the newest reading of a file that is read again, in whatever part, which then supersedes it', async () => {
    const log = [
      says(0, 'go!!'),
      read(1, 'a'),
      result(2, 'a', 'xxxxxxxx'),
      read(9, 'b', 'src/secret.ts', { offset: 3 }),
      result(10, 'b', 'xxxx'),
    ];
    expect((await take(log)).told).toEqual([
      'user 1',
      'step at 0 needs nothing',
      'tool_call 9',
      'tool_result 2',
      'step at 8000 needs 2',
      'tool_call 11',
      'tool_result 1',
      '4 supersedes 2',
    ]);
  });

  it('needs the result of a call that is made again, whatever the order of its arguments', async () => {
    const log = [
      calls(0, 'a', 'Grep', { pattern: 'x', path: 'y' }),
      result(1, 'a', 'hit'),
      calls(2, 'b', 'Grep', { path: 'y', pattern: 'x' }),
      result(3, 'b', 'hit'),
      calls(4, 'c', 'Grep', { path: 'z', pattern: 'x' }),
      result(5, 'c', 'hit'),
    ];
    expect((await take(log)).told.filter((one) => one.startsWith('step'))).toEqual([
      'step at 0 needs nothing',
      'step at 2000 needs 1',
      'step at 4000 needs nothing',
    ]);
  });

  it('takes an error as no reading: it is tried again', async () => {
    const { told: lines } = await take([
      read(0, 'a'),
      result(1, 'a', 'none', true),
      read(2, 'b'),
      result(3, 'b', 'text'),
    ]);
    expect(lines).toContain('tool_result 1 failed');
    expect(lines.filter((one) => /needs \d|supersedes/.test(one))).toEqual([]);
  });

  it('makes one step of the lines of one reply, also with results between them, and keeps what was billed', async () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 40,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 30,
    };
    const one = { id: 'reply', usage };
    const { told: lines } = await take([
      line('assistant', 0, [{ type: 'text', text: 'four' }], {}, one),
      calls(0, 'a', 'Bash', {}, one),
      result(1, 'a', 'done'),
      calls(1, 'b', 'Bash', { command: 'x' }, one),
      result(2, 'b', 'done'),
    ]);
    expect(lines).toEqual([
      'step at 0 needs nothing',
      'read 900 wrote 30 plain 3 out 40',
      'assistant 1',
      'tool_call 2',
      'tool_call 5',
      'tool_result 1',
      'tool_result 1',
    ]);
  });

  it('has a boundary before the summary of a compaction', async () => {
    const { told: lines } = await take([says(0, 'x'), says(1, 'sum', { isCompactSummary: true })]);
    expect(lines).toEqual(['user 1', 'compact', 'summary 1']);
  });

  it('counts and says what is broken, unknown or there twice, and goes on', async () => {
    const good = says(0, 'x');
    const file = await folder.write(
      'b.jsonl',
      [
        JSON.stringify(good),
        '{"type":"us',
        '[]',
        JSON.stringify({ type: 'future' }),
        JSON.stringify({ type: 'user', message: 4 }),
        JSON.stringify(good),
        '',
      ].join('\n'),
    );
    const { lines, skipped } = await imported('claude-code', file);
    expect(lines).toHaveLength(2);
    expect(skipped.map((one) => `${one.line}: ${one.why}`)).toEqual([
      '2: it is not JSON',
      '3: it is no object',
      '4: its type is not known',
      '5: its message is not as expected',
      '6: it is there already',
    ]);
  });

  it('lets no name and no text out, and no hash that could be tried without the salt', async () => {
    const log = [says(0, 'my secret words'), read(1, 'a'), result(2, 'a', 'secret text')];
    const { made } = await take(log);
    const text = JSON.stringify(made);
    expect(text).not.toMatch(/secret|words|a\.jsonl|2026/);
    const [again, other] = [await take(log), await take(log, { salt: 'other' })];
    const of = (lines: typeof made) =>
      lines.map((one) => (one.type === 'page' ? [one.obj, one.session] : ''));
    const bytes = await readFile(folder.path('a.jsonl'));
    expect(bytes.length).toBeGreaterThan(0);
    expect(of(again.made)).toEqual(of(made));
    expect(of(other.made)).not.toEqual(of(made));
    expect(other.made[0]).not.toMatchObject({ sha256: made[0]?.type === 'header' ? made[0].sha256 : '' });
  });

  it('leaves out what continued sessions hold once more, over all files of an import', async () => {
    const first = [says(0, 'one'), read(1, 'a')];
    const files = [
      await folder.write('1.jsonl', first),
      await folder.write('2.jsonl', [...first, says(2, 'two'), read(3, 'b')]),
    ];
    const { lines, skipped } = await imported('claude-code', files);
    expect(told(lines).filter((one) => one.startsWith('user'))).toEqual(['user 1', 'user 1']);
    expect(skipped).toHaveLength(2);
    expect(told(lines)).toContain('session_end');
  });
});
