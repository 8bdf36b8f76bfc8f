/** The evaluations themselves, on sets so small that the figures can be told by hand. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartOptions } from '@pagefault/wiring';
import { describe, expect, it, vi } from 'vitest';
import { runEval } from '../src/index.js';
import { temporaryFolder } from './support/folder.js';

vi.setConfig({ testTimeout: 180_000 });

const data = temporaryFolder();

function write(folder: string, name: string, rows: readonly object[]): void {
  mkdirSync(join(data, folder), { recursive: true });
  writeFileSync(join(data, folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

const WORDS = { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex' };
const MEANING = { recall: 'memory', archival: 'memory', processor: 'reflex' };
const on = (overrides: StartOptions['overrides'] = {}) => ({
  data,
  start: { cwd: data, env: {}, overrides },
});

/** Twelve passages about shearing, one about a boat; what is asked shares no word with the last. */
function writePassages(): void {
  const passages = Array.from({ length: 12 }, (_, i) => ({
    pid: `p${i}`,
    title: `Stall ${i}`,
    text: `Alpaca number ${i} was shorn in spring.`,
  }));
  write('litm_docqa', 'passages.jsonl', [
    ...passages,
    { pid: 'p12', title: 'Boat', text: 'The boat sails.' },
  ]);
  write('litm_docqa', 'questions.jsonl', [
    { qid: 'q0', question: 'when was alpaca number 7 shorn', gold_passage: 'p7' },
    { qid: 'q1', question: 'which vessel travels by wind', gold_passage: 'p12' },
    { qid: 'q2', question: 'zyzzyva', gold_passage: 'p-missing' },
  ]);
}

function writeConversation(): void {
  const turns = ['I breed alpacas in Cork.', 'How nice!', 'The vet is Dr Byrne.', 'Good to know.'];
  write('locomo', 'locomo_sessions.jsonl', [
    {
      sample_id: 'conv-1',
      conv: 0,
      speaker_a: 'Ada',
      speaker_b: 'Bob',
      session: 1,
      date_time: '2023-05-08T13:56:00',
      turns: turns.map((text, i) => ({ dia_id: `D1:${i + 1}`, speaker: i % 2 ? 'Bob' : 'Ada', text })),
    },
  ]);
  const question = { sample_id: 'conv-1', gold_ok: true };
  write('locomo', 'locomo_qa_clean.jsonl', [
    { ...question, qid: 'a', category: 4, question: 'What does Ada breed?', evidence: ['D1:1'] },
    { ...question, qid: 'b', category: 1, question: 'Who is the vet?', evidence: ['D1:3', 'D9:9'] },
    { ...question, qid: 'c', category: 5, question: 'Not answerable', evidence: ['D1:1'] },
    { ...question, qid: 'd', category: 4, question: 'No evidence', evidence: [] },
    { ...question, qid: 'e', category: 4, question: 'Wrong', evidence: ['D1:1'], gold_ok: false },
  ]);
}

describe('document-qa', () => {
  it('counts the questions whose passage is among the first ten, by words', async () => {
    writePassages();
    const { figures, rows } = await runEval('document-qa', on(WORDS));
    expect(figures).toEqual({ questions: 3, recall: 1 / 3 });
    expect(rows).toEqual([[3, '33.3 %']]);
  });

  it('and by meaning, with the bundled encoder', async () => {
    writePassages();
    const progress: string[] = [];
    const onProgress = ({ stage, done, total }: { stage: string; done: number; total: number }) =>
      progress.push(`${stage} ${done}/${total}`);
    const { figures } = await runEval('document-qa', { ...on(MEANING), onProgress });
    expect(figures).toEqual({ questions: 3, recall: 2 / 3 });
    expect(progress.at(0)).toBe('passages 13/13');
    expect(progress.at(-1)).toBe('questions 3/3');
  });

  it('asks as many questions as it is told to, and stops when it is told to', async () => {
    writePassages();
    expect((await runEval('document-qa', { ...on(WORDS), limit: 1 })).figures).toEqual({
      questions: 1,
      recall: 1,
    });
    const stopped = runEval('document-qa', { ...on(WORDS), signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopped).rejects.toThrow('enough');
  });
});

describe('locomo-evidence', () => {
  it('gives the share of the evidence among the first ten results, of what can be answered (gap 8)', async () => {
    writeConversation();
    const { figures, rows } = await runEval('locomo-evidence', on(WORDS));
    expect(figures).toMatchObject({ questions: 2, recall: 0.75, any: 1, overBudget: 0 });
    expect(rows).toContainEqual(['multi-hop', 1, '50.0 %', '100.0 %']);
    expect(rows).toContainEqual(['single-hop', 1, '100.0 %', '100.0 %']);
  });
});

describe('an evaluation', () => {
  it('says where it looked for its data, and which evaluations there are', async () => {
    const missing = runEval('document-qa', { data: join(data, 'nowhere') });
    await expect(missing).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(missing).rejects.toThrow('passages.jsonl is not there');
    await expect(runEval('docqa')).rejects.toMatchObject({
      code: 'E_INVALID',
      hint: 'known evaluations: locomo-evidence, document-qa, nested-kv',
    });
  });
});
