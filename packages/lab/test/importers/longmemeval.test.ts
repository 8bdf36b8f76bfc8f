import { describe, expect, it } from 'vitest';
import { detect, traceSource } from '../../src/index.js';
import { imported, told, useFolder } from '../support/imports.js';

const turn = (role: string, content: string, more: object = {}) => ({ role, content, ...more });
const question = (id: string, more: object = {}) => ({
  question_id: id,
  question_type: 'multi-session',
  question: 'what is it?',
  answer: 'a boat',
  question_date: '2023/05/30 (Tue) 23:40',
  haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/22 (Mon) 02:21'],
  haystack_session_ids: ['one', 'two'],
  haystack_sessions: [
    [turn('user', 'it is a boat', { has_answer: true }), turn('assistant', 'aye.', { has_answer: false })],
    [turn('user', 'and now?'), turn('assistant', 'well')],
  ],
  answer_session_ids: ['two'],
  ...more,
});

describe('a file of LongMemEval', () => {
  const folder = useFolder();
  const take = async (questions: unknown, name = 'longmemeval_s.json') => {
    const { lines, skipped } = await imported(
      'longmemeval',
      await folder.write(name, JSON.stringify(questions)),
    );
    const asked = lines.filter((line) => line.type === 'step' && line.i % 3 === 2);
    const needs = asked.map((line) => (line.type === 'step' ? line.needs.map(({ id }) => id) : []));
    return { told: told(lines), needs, skipped, lines };
  };

  it('has a session a question: its history as dated, then the question, which needs the turns with its answer', async () => {
    const { told: lines } = await take([question('a'), question('b')]);
    const [day, minute] = [86_400_000, 60_000];
    expect(lines.slice(0, 10)).toEqual([
      'user 3',
      'step at 0 needs nothing',
      'assistant 1',
      'task_switch',
      'user 2',
      `step at ${2 * day} needs nothing`,
      'assistant 1',
      'user 3',
      `step at ${10 * day + (21 * 60 + 19) * minute} needs 0`,
      'assistant 2',
    ]);
    expect(lines[10]).toBe('session_end');
    expect(lines.slice(11).filter((one) => /needs \d/.test(one))).toHaveLength(1);
  });

  it('needs all turns of the sessions that are named where no turn is marked, and nothing where nothing answers', async () => {
    const plain = [
      [turn('user', 'x'), turn('assistant', 'y')],
      [turn('user', 'and now?'), turn('assistant', 'well')],
    ];
    const { needs, skipped } = await take([
      question('a', { haystack_sessions: plain }),
      question('b_abs'),
      question('c', { haystack_sessions: plain, answer_session_ids: ['gone'] }),
    ]);
    expect(needs).toEqual([[2, 3], [], []]);
    expect(skipped.map(({ why }) => why)).toEqual(['nothing in the history of c is told to have its answer']);
  });

  it('puts sessions in the order of their dates, and leaves them as they stand where one has none', async () => {
    const dates = ['2023/05/22 (Mon) 02:21', '2023/05/20 (Sat) 02:21'];
    const first = async (more: object) => (await take([question('a', more)])).told[0];
    expect(await first({ haystack_dates: dates })).toBe('user 2');
    expect(await first({ haystack_dates: dates.slice(0, 1) })).toBe('user 3');
    expect(await first({ haystack_dates: undefined, question_date: undefined })).toBe('user 3');
  });

  it('takes an answer that is a number, a turn without content, and a history that is empty', async () => {
    const { told: lines } = await take([
      question('a', { answer: 12, haystack_sessions: [[{ role: 'user', content: null }]] }),
      question('b_abs', { haystack_sessions: [] }),
    ]);
    expect(lines.filter((one) => !/step|_/.test(one))).toEqual([
      'user 0',
      'user 3',
      'assistant 1',
      'user 3',
      'assistant 2',
    ]);
  });

  it('is known by its fields, and says which object is wrong', async () => {
    const file = await folder.write(
      'x.json',
      JSON.stringify([question('a'), { question_id: 'b' }], undefined, 1),
    );
    expect(await detect(file)).toBe(traceSource('longmemeval'));
    await expect(imported('longmemeval', file)).rejects.toThrow(
      /x\.json, line \d+, object 2, field question:/,
    );
    await expect(imported('tau-bench', file)).rejects.toMatchObject({
      hint: 'it looks like a file for longmemeval',
    });
    expect((await take([])).told).toEqual([]);
  });
});
