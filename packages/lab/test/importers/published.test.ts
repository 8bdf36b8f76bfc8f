/** Published data, by the figures that are documented of them. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  detect,
  filesOf,
  needCounts,
  pageCount,
  sessionsOf,
  stepCount,
  traceSource,
} from '../../src/index.js';
import { imported, told, traceOf, useFolder } from '../support/imports.js';
import { dataFile, traceFile } from '../support/traces.js';

const sum = (numbers: Int32Array) => numbers.reduce((total, one) => total + one, 0);
const pagesIn = (lines: readonly { readonly type: string }[]) =>
  lines.filter(({ type }) => type === 'page').length;

describe('GoodAI LTM', () => {
  it.for([
    ['32k', 686, 343, 115_280],
    ['120k', 780, 390, 328_146],
  ] as const)(
    'of %s has its messages, 48 questions and 196 accesses',
    async ([name, messages, replies, tokens], { skip }) => {
      const file = traceFile(`llm/goodai-ltm/b3-${name}-gpt4o.master_log.jsonl`, skip);
      const { lines } = await imported('goodai-ltm', file);
      expect(pagesIn(lines)).toBe(messages);
      const trace = await traceOf('goodai-ltm', file);
      expect(stepCount(trace)).toBe(replies);
      expect(sum(trace.tokens)).toBe(tokens);
      expect(needCounts(trace)).toEqual({ annotated: 196, 're-read': 0, derived: 0 });
      expect(lines.filter((line) => line.type === 'step' && line.needs.length > 0)).toHaveLength(48);
      expect(await detect(file)).toBe(traceSource('goodai-ltm'));
    },
  );
});

describe('Mooncake', () => {
  it('has 3,993 requests, of whose blocks 64.0 % were there before', async ({ skip }) => {
    const file = traceFile('llm/mooncake/synthetic_trace.jsonl', skip);
    const trace = await traceOf('mooncake', file);
    expect(stepCount(trace)).toBe(3_993);
    const again = needCounts(trace)['re-read'];
    expect(again).toBe(77_953);
    expect(again / (again + pageCount(trace))).toBeCloseTo(0.64, 3);
    expect(await detect(file)).toBe(traceSource('mooncake'));
  });
});

describe('tau-bench', () => {
  const path = 'llm/tau-bench/gpt-4o-airline.first-half.json';

  it('has 100 conversations with few re-reads', async ({ skip }) => {
    const file = traceFile(path, skip);
    const trace = await traceOf('tau-bench', file);
    expect(trace.boundaries).toHaveLength(99);
    expect(stepCount(trace)).toBe(1_229);
    // 14 calls are made again; 4 of them after an error, which is no reading.
    expect(needCounts(trace)).toEqual({ annotated: 0, 're-read': 10, derived: 0 });
    expect(await detect(file)).toBe(traceSource('tau-bench'));
  });

  it('has many derived needs, by choice, and none of the other kind then', async ({ skip }) => {
    const trace = await traceOf('tau-bench', traceFile(path, skip), { needs: 'derived' });
    expect(needCounts(trace)).toEqual({ annotated: 0, 're-read': 0, derived: 389 });
    expect(trace.header.needKinds).toEqual(['derived']);
  });
});

describe('SWE-agent', () => {
  it('has 13 trajectories, together one trace with the end of a session between them', async ({ skip }) => {
    const source = traceSource('swe-agent');
    const files = await filesOf(source, [traceFile('llm/swe-agent', skip)]);
    expect(files).toHaveLength(13);
    const steps: number[] = [];
    const needs: number[] = [];
    for (const file of files) {
      expect(await detect(file), basename(file)).toBe(source);
      const trace = await traceOf('swe-agent', file);
      steps.push(stepCount(trace));
      needs.push(needCounts(trace).derived);
    }
    const all = await traceOf('swe-agent', files);
    expect(stepCount(all)).toBe(steps.reduce((total, one) => total + one));
    expect(needCounts(all).derived).toBe(needs.reduce((total, one) => total + one));
    expect([Math.min(...steps), Math.max(...steps)]).toEqual([4, 14]);
    expect(all.boundaries).toHaveLength(12);
    expect(needCounts(all)).toEqual({ annotated: 0, 're-read': 0, derived: 34 });
  });
});

describe('LoCoMo', () => {
  it('has its sessions, and needs each turn that is named as evidence', async ({ skip }) => {
    const file = dataFile('locomo/locomo_sessions.jsonl', skip);
    const { lines, skipped } = await imported('locomo', file);
    const trace = await traceOf('locomo', file);
    expect(needCounts(trace)).toEqual({ annotated: 1_373, 're-read': 0, derived: 0 });
    expect(lines.filter(({ type }) => type === 'boundary')).toHaveLength(127);
    expect(skipped).toEqual([]);
    expect(await detect(file)).toBe(traceSource('locomo'));
  });
});

describe('BEAM', () => {
  it.for([
    ['100K', 10, 518, 1_450_361],
    ['500K', 3, 211, 1_473_748],
  ] as const)(
    'of %s has its chats, and questions that need the messages they were made from',
    async ([size, chats, needs, tokens], { skip }) => {
      const source = traceSource('beam');
      const files = await filesOf(source, [dataFile(`beam/${size}`, skip)]);
      expect(files).toHaveLength(chats);
      const { skipped } = await imported('beam', files);
      expect(skipped).toEqual([]);
      const trace = await traceOf('beam', files);
      expect(needCounts(trace)).toEqual({ annotated: needs, 're-read': 0, derived: 0 });
      expect(sum(trace.tokens)).toBe(tokens);
      expect(sessionsOf(trace)).toHaveLength(chats);
      for (const file of files) expect(await detect(file)).toBe(source);
    },
  );
});

describe('Claude Code', () => {
  it('reads a log that a converter is tested with: two sessions in one file, one line there twice', async ({
    skip,
  }) => {
    const file = dataFile('exports/claude-code/claude-normalization-main.jsonl', skip);
    const { lines, skipped } = await imported('claude-code', file);
    expect(lines.filter((line) => line.type === 'boundary')).toMatchObject([{ kind: 'session_end' }]);
    expect(skipped.map(({ line, why }) => `${line}: ${why}`)).toEqual([
      '6: it is there already',
      '11: it is no message',
      '13: it is of a sidechain',
    ]);
    expect(await detect(file)).toBe(traceSource('claude-code'));
    const text = JSON.stringify(lines);
    for (const secret of ['claude-normalization', 'polylogue', 'pytest', 'missing.py', 'parser'])
      expect(text).not.toContain(secret);
  });

  it('takes the work of others as sessions of their own, when asked', async ({ skip }) => {
    const file = dataFile('exports/claude-code/normalization-lineage-subagent-acompact.jsonl', skip);
    const without = await imported('claude-code', file);
    expect(without.lines).toHaveLength(1);
    const { lines } = await imported('claude-code', file, { sidechains: 'sessions' });
    expect(lines.map(({ type }) => type)).toEqual(['header', 'page', 'step', 'page']);
  });
});

describe('Codex', () => {
  const folder = useFolder();

  it('reads a log that a converter is tested with', async ({ skip }) => {
    const file = dataFile('exports/codex/interleaved_stream.jsonl', skip);
    const { lines, skipped } = await imported('codex', file);
    expect(told(lines).filter((one) => !one.startsWith('tool'))).toEqual([
      'user 9',
      'step at 0 needs nothing',
      'step at 0 needs nothing',
      'assistant 6',
      'step at 6000 needs nothing',
      'assistant 11',
      'user 2',
      'compact',
      'summary 6',
    ]);
    expect(skipped).toEqual([]);
    expect(await detect(file)).toBe(traceSource('codex'));
  });

  it('reads a session that TraceLab shows: nine calls, and what was billed of each', async ({ skip }) => {
    const shown = await readFile(traceFile('llm/tracelab/codex__trace.json', skip), 'utf8');
    const records = shown.split(/^===== record \d+ =====$/m).slice(1);
    const file = await folder.write(
      'rollout-x.jsonl',
      records.map((one) => JSON.parse(one) as unknown),
    );
    const { lines } = await imported('codex', file);
    const { usage } = await traceOf('codex', file);
    expect(usage.map(({ read }) => read)).toEqual([6912, 9600, 9856, 3456, 10240, 9216, 10624, 10368, 9216]);
    expect(usage.reduce((total, { read, plain }) => total + read + plain, 0)).toBe(95_819);
    expect(lines.filter(({ type }) => type === 'step')).toHaveLength(9);
    expect(pagesIn(lines.filter((line) => line.type === 'page' && line.kind === 'user'))).toBe(3);
  });
});
