import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@pagefault/kernel';
import { detect, filesOf, traceSource } from '../../src/index.js';
import { imported, told, useFolder } from '../support/imports.js';

describe('importers', () => {
  const folder = useFolder();

  it('are asked for by name; another name lists them', () => {
    expect(() => traceSource('goodai')).toThrow(
      expect.objectContaining({
        code: 'E_CONFIG',
        hint: expect.stringContaining('goodai-ltm, locomo') as string,
      }),
    );
  });

  it('refuse a file of no known source, a folder without one, and a kind of need that they cannot tell', async () => {
    const file = await folder.write('x.jsonl', [{ a: 1 }]);
    await expect(detect(file)).rejects.toMatchObject({ code: 'E_CONFIG' });
    await expect(filesOf(traceSource('swe-agent'), [folder.path('.')])).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    await expect(filesOf(traceSource('swe-agent'), [folder.path('none')])).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    await expect(imported('mooncake', file, { needs: 'derived' })).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: 'it tells: re-read',
    });
  });

  it('say the line and field that is not as it should be', async () => {
    await expect(imported('mooncake', await folder.write('x.jsonl', [{ timestamp: 'now' }]))).rejects.toThrow(
      /x\.jsonl, line 1, field timestamp/,
    );
    await expect(imported('tau-bench', await folder.write('x.json', '{"traj"'))).rejects.toThrow(
      /x\.json is not JSON/,
    );
  });

  it('name the importer that a file is for, when it is another one', async () => {
    const log = await folder.write('rollout-a.jsonl', [{ type: 'session_meta', payload: { id: 'a' } }]);
    await expect(imported('mooncake', log)).rejects.toMatchObject({
      code: 'E_TRACE',
      message: expect.stringContaining('line 1, field timestamp') as string,
      hint: 'it looks like a file for codex',
    });
    const { skipped } = await imported('claude-code', log);
    expect(skipped.map(({ why }) => why)).toEqual([
      'its type is not known',
      'there is nothing of claude-code in it: it is for codex',
    ]);
    expect((await imported('codex', await folder.write('empty.jsonl', ''))).skipped).toEqual([]);
  });

  it('count by a tokenizer, when there is one, and say so', async () => {
    const file = await folder.write('x.master_log.jsonl', [
      { type: 3, timestamp: 5, test_id: '', data: { message: 'four words are here' } },
      { type: 5, timestamp: 7.5, test_id: '', data: { message: 'ok' } },
    ]);
    const tokenizer = { name: 'words', count: (text: string) => text.split(' ').length };
    const { lines } = await imported('goodai-ltm', file, { tokenizer });
    expect(told(lines)).toEqual(['user 4', 'step at 2500 needs nothing', 'assistant 1']);
    expect(lines[0]).toMatchObject({ tokenizer: 'words', clock: 'recorded' });
  });

  it('of tau-bench take a value that a user said as no quotation', async () => {
    const call = (id: string, args: object) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, function: { name: 'get', arguments: JSON.stringify(args) } }],
    });
    const traj = [
      { role: 'user', content: 'I am anna_1234' },
      call('a', { user: 'anna_1234' }),
      { role: 'tool', tool_call_id: 'a', content: '{"order":"W777777","user":"anna_1234"}' },
      call('b', { user: 'anna_1234' }),
      { role: 'tool', tool_call_id: 'b', content: 'Error: later' },
      call('c', { order: 'W777777' }),
    ];
    const file = await folder.write('x.json', JSON.stringify([{ task_id: 1, traj }]));
    const needs = async (kind: 're-read' | 'derived') =>
      told((await imported('tau-bench', file, { needs: kind })).lines)
        .filter((one) => one.startsWith('step'))
        .map((one) => one.replace(/.*needs /, ''));
    expect(await needs('re-read')).toEqual(['nothing', '2', 'nothing']);
    expect(await needs('derived')).toEqual(['nothing', 'nothing', '2']);
  });

  it('of BEAM ask the questions of a chat an hour after it, and skip evidence that is not there', async () => {
    const said = (id: number, role: string, batch: number) => ({ id, role, batch, content: 'x'.repeat(40) });
    await folder.write('probing_questions.jsonl', [
      { qid: 'a', chat: '100K/07', question: 'what?', gold: 'it', evidence_ids: [2, 0, 9] },
      { qid: 'b', chat: '100K/08', question: 'of another chat', gold: null, evidence_ids: [1] },
    ]);
    await mkdir(folder.path('100K'));
    const file = await folder.write('100K/07.messages.jsonl', [
      said(0, 'user', 1),
      said(1, 'assistant', 1),
      said(2, 'user', 2),
      said(3, 'assistant', 2),
    ]);
    const { lines, skipped } = await imported('beam', file);
    expect(told(lines)).toEqual([
      'user 10',
      'step at 0 needs nothing',
      'assistant 10',
      'task_switch',
      'user 10',
      'step at 3600000 needs nothing',
      'assistant 10',
      'user 2',
      'step at 7200000 needs 0 2',
      'assistant 1',
    ]);
    expect(skipped).toMatchObject([{ why: 'the evidence 9 of a is no message of 100K/07' }]);
  });

  it('of Mooncake make a page of a block, and a need of one that an earlier request had', async () => {
    const request = (timestamp: number, hash_ids: number[]) => ({
      timestamp,
      input_length: 700,
      output_length: 9,
      hash_ids,
    });
    const { lines } = await imported(
      'mooncake',
      await folder.write('x.jsonl', [request(40, [7, 8]), request(50, [7, 9])]),
    );
    expect(told(lines)).toEqual([
      'doc 512',
      'doc 188',
      'step at 0 needs nothing',
      'doc 188',
      'step at 10 needs 0',
    ]);
  });

  it('of recordings let a need fall on the cycle that asked, and tell search hits apart', async () => {
    const observed = (observation: object) => ({ type: 'observation', observation });
    const born = (page: number) =>
      observed({ name: 'page-born', page, kind: 'user', tokens: 5, firstSeq: 1, lastSeq: 1 });
    const usage = { plain: 10, cached: 90, written: 0, output: 4 };
    const replied = (at: number) => ({
      type: 'event',
      event: { type: 'replied', at, reply: { parts: [], usage } },
    });
    const needed = (page: number, why: string) => observed({ name: 'page-needed', page, why, fault: false });
    const processor = { driver: 'double', model: 'm', window: 1_000, maxOutput: 100 };
    const file = await folder.write('x.jsonl', [
      {
        type: 'header',
        version: 1,
        config: { limits: DEFAULT_LIMITS, processor },
        policy: { id: 'lru', version: 1 },
        state: { pages: [] },
      },
      born(39),
      born(40),
      replied(1_000),
      needed(40, 'page-in'),
      needed(39, 'search-hit'),
      needed(3, 'page-in'),
      born(41),
      observed({ name: 'flush-finished', evicted: 1, before: 9, after: 4 }),
      replied(3_000),
      observed({ name: 'turn-ended' }),
    ]);
    const { lines, skipped } = await imported('recording', file);
    const billed = 'read 90 wrote 0 plain 10 out 4';
    expect(told(lines)).toEqual([
      'user 5',
      'user 5',
      'step at 0 needs 1',
      billed,
      'user 5',
      'compact',
      'step at 2000 needs nothing',
      billed,
      'subtask_end',
    ]);
    const found = await imported('recording', file, { needs: 'derived' });
    expect(told(found.lines)).toContain('step at 0 needs 0');
    expect(skipped).toMatchObject([{ why: 'a page is needed that left before the recording began' }]);
    expect(await detect(file)).toBe(traceSource('recording'));
  });
});
