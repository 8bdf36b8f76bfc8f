import { describe, expect, it } from 'vitest';
import { detect, filesOf, needCounts, stepCount, traceSource } from '../../src/index.js';
import { imported, told, traceOf, useFolder } from '../support/imports.js';
import { traceFile } from '../support/traces.js';

const folder = useFolder();
const take = async (content: string | readonly unknown[], name = 'output.jsonl') => {
  const { lines, skipped } = await imported('swe-bench', await folder.write(name, content));
  return { told: told(lines), skipped: skipped.map(({ line, why }) => `${line}: ${why}`) };
};
const says = (role: string, content: unknown, more: object = {}) => ({ role, content, ...more });

describe('runs on SWE-bench', () => {
  it('of mini-SWE-agent need the newest result with a value that the command in a fence says', async () => {
    const fenced = (command: string) => says('assistant', `THOUGHT: well\n\n\`\`\`bash\n${command}\n\`\`\``);
    const result = (text: string, code = 0) =>
      says('user', [
        { type: 'text', text: `<returncode>${code}</returncode>\n<output>\n${text}\n</output>` },
      ]);
    const messages = [
      says('system', 'you work'),
      says('user', 'fix task_1'),
      fenced('ls src/'),
      result('src/parse.py src/lex.py'),
      fenced('cat src/parse.py'),
      result('no src/parse.py', 1),
      fenced('grep task_1 src/parse.py'),
      result('def task_1(): src/parse.py'),
      fenced('cat src/parse.py src/lex.py'),
      says('exit', 'diff'),
    ];
    const whole = JSON.stringify({ info: {}, messages, trajectory_format: 'mini-swe-agent-1' }, undefined, 2);
    const { told: lines } = await take(whole, 'a.traj.json');
    expect(lines.filter((one) => !/tool_call/.test(one))).toEqual([
      'system 2',
      'user 3',
      'step at 0 needs nothing',
      'tool_result 18',
      'step at 10000 needs 3',
      'tool_result 16 failed',
      'step at 20000 needs 3',
      'tool_result 18',
      'step at 30000 needs 3 7',
    ]);
    expect(await detect(folder.path('a.traj.json'))).toBe(traceSource('swe-bench'));
    expect(await filesOf(traceSource('swe-bench'), [folder.path('.')])).toHaveLength(1);
  });

  it('of agents with tools need it by the arguments of a call', async () => {
    const call = (given: unknown) => ({
      tool_calls: [{ id: 'a', function: { name: 'bash', arguments: given } }],
    });
    const messages = [
      says('user', 'go'),
      says('assistant', null, call('{"command":"ls"}')),
      says('tool', 'see a_b.py'),
      says('assistant', 'a_b.py it is', call({ command: 'cat a_b.py' })),
      says('tool', 'pass'),
      says('ai', undefined, { text: 'done with a_b.py' }),
    ];
    expect((await take([{ instance_id: 'x', messages }])).told).toEqual([
      'user 1',
      'step at 0 needs nothing',
      'tool_call 6',
      'tool_result 3',
      'step at 10000 needs 2',
      'tool_call 11',
      'tool_result 1',
      'step at 20000 needs nothing',
      'assistant 4',
    ]);
  });

  it('of OpenHands are read from events, or from pairs of them as older ones are', async () => {
    const events = [
      { id: 0, source: 'agent', action: 'system', args: { content: 'you work' } },
      { id: 1, source: 'user', action: 'message', args: { content: 'go' } },
      { id: 2, source: 'user', action: 'recall', args: {} },
      { id: 3, source: 'environment', observation: 'agent_state_changed', content: '' },
      { id: 4, source: 'agent', action: 'run', args: { command: 'ls' } },
      {
        id: 5,
        source: 'agent',
        observation: 'run',
        content: 'a_b.py',
        extras: { metadata: { exit_code: 0 } },
      },
      { id: 6, source: 'agent', action: 'read', args: { path: 'a_b.py' } },
      { id: 7, source: 'agent', observation: 'error', content: 'no', extras: {} },
      { id: 8, source: 'agent', action: 'finish', message: 'all done' },
    ];
    const pairs = [[events[0], {}], [events[1], {}], events.slice(4, 6)];
    const { told: lines } = await take([
      { instance_id: 'x', history: events, test_result: {} },
      { instance_id: 'y', history: pairs },
    ]);
    expect(lines).toEqual([
      'system 2',
      'user 1',
      'step at 0 needs nothing',
      'tool_call 4',
      'tool_result 2',
      'step at 10000 needs 3',
      'tool_call 5',
      'tool_result 1 failed',
      'step at 20000 needs nothing',
      'assistant 2',
      'session_end',
      'system 2',
      'user 1',
      'step at 3630000 needs nothing',
      'tool_call 4',
      'tool_result 2',
    ]);
    expect(await detect(folder.path('output.jsonl'))).toBe(traceSource('swe-bench'));
  });

  it('without a reply are passed over, and a wrong one is named', async () => {
    const none = 'there is no reply in it, in messages, history or trajectory';
    const { told: lines, skipped } = await take('\uFEFF{"instance_id":"a"}\r\n{"messages":[]}\r\n');
    expect([lines, skipped]).toEqual([[], [`1: ${none}`, `2: ${none}`]]);
    await expect(take([{ messages: 'x' }])).rejects.toThrow(
      /output\.jsonl, line 1, object 1, field messages/,
    );
    await expect(take([{ messages: [{ role: 'assistant', tool_calls: 'x' }] }])).rejects.toThrow(
      /field messages\.0/,
    );
    expect((await take('')).told).toEqual([]);
  });

  it('of SWE-agent may be read so, too: the same steps, and needs by another rule', async ({ skip }) => {
    const files = await filesOf(traceSource('swe-agent'), [traceFile('llm/swe-agent', skip)]);
    const [own, other] = [await traceOf('swe-agent', files), await traceOf('swe-bench', files)];
    expect(stepCount(other)).toBe(stepCount(own));
    expect(needCounts(other).derived).toBeGreaterThan(needCounts(own).derived);
    for (const file of files) expect(await detect(file)).toBe(traceSource('swe-agent'));
  });
});
