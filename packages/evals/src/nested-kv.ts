/**
 * Nested key-value retrieval (MemGPT, arXiv 2310.08560, §3.2.2): 140 pairs in archival storage, where the value of a key
 * may be a key again. Exact, so beside the answer it shows whether the agent verified that the value is no key.
 */
import { readFile } from 'node:fs/promises';
import type { Kernel } from '@pagefault/kernel';
import { start } from '@pagefault/wiring';
import { dataFile, dataFolder, readJsonLines } from './data.js';
import type { EvalOptions, EvalReport, Evaluation } from './eval.js';
import { percent, withTemporaryStore } from './support.js';

/** The paper's GPT-4 had a window of 8k. */
const WINDOW = 8_192;
/** The paper draws levels 0 to 4 with 30 orderings each. */
const MOST_LEVEL = 4;
const SEEDS = 30;

interface Question {
  readonly id: string;
  readonly nesting_level: number;
  readonly seed: number;
  readonly swap_indices: readonly number[];
  readonly query_key: string;
  readonly answer: string;
}

type Pair = readonly [key: string, value: string];

interface Answered {
  readonly level: number;
  readonly right: boolean;
  readonly verified: boolean;
  readonly lookups: number;
  readonly peak: number;
}

export const nestedKv: Evaluation = {
  name: 'nested-kv',
  help: 'nested key-value look-ups in archival storage, levels 0 to 4',
  run,
};

async function run(options: EvalOptions): Promise<EvalReport> {
  const folder = dataFolder(options.data, options.env ?? process.env);
  const questions = await readQuestions(folder, options.limit);
  const pairs = await readPairs(folder);
  const window = options.window ?? WINDOW;
  const answered = await withTemporaryStore(options, async (store) => {
    const peak = { tokens: 0 };
    const onRequest = (_: string, __: unknown, tokens: number) =>
      (peak.tokens = Math.max(peak.tokens, tokens));
    // Without vectors, as in the paper's run: keys are found as they are written.
    const overrides = { ...store.overrides, archival: 'none', embedder: 'none', window };
    await using machine = await start({ ...store, overrides, onRequest });
    const results: Answered[] = [];
    for (const question of questions) {
      options.signal?.throwIfAborted();
      results.push(await answer(machine.kernel, question, pairs, peak));
      options.onProgress?.({ stage: 'questions', done: results.length, total: questions.length });
    }
    return results;
  });
  return report(answered, window);
}

async function readQuestions(folder: string, limit = Infinity): Promise<Question[]> {
  const questions: Question[] = [];
  for await (const question of readJsonLines<Question>(
    await dataFile(folder, 'memgpt_nested_kv', 'nested_kv_questions.jsonl'),
  )) {
    if (question.nesting_level > MOST_LEVEL || question.seed >= SEEDS) continue;
    if (questions.length < limit) questions.push(question);
  }
  return questions;
}

async function readPairs(folder: string): Promise<readonly Pair[]> {
  const file = await dataFile(folder, 'memgpt_nested_kv', 'base_140_pairs.json');
  return JSON.parse(await readFile(file, 'utf8')) as Pair[];
}

/** For each neighbouring pair of indices the value at the first becomes the key at the second. */
function nest(pairs: readonly Pair[], indices: readonly number[]): Pair[] {
  const table = pairs.map(([key, value]): [string, string] => [key, value]);
  indices.slice(0, -1).forEach((from, i) => {
    const [row, next] = [table[from], table[indices[i + 1] ?? -1]];
    if (row && next) row[1] = next[0];
  });
  return table;
}

async function answer(
  kernel: Kernel,
  question: Question,
  pairs: readonly Pair[],
  peak: { tokens: number },
): Promise<Answered> {
  const table = nest(pairs, question.swap_indices);
  const process = await kernel.spawn({ name: question.id });
  await process.archive(
    table.map(([key, value]) => ({ text: `Key-value pair: key = ${key}, value = ${value}` })),
  );
  peak.tokens = 0;
  const searches: string[] = [];
  const stop = kernel.bus.on('call-started', (call) => {
    if (call.pid === process.pid && call.name === 'archival_memory_search') searches.push(call.arguments);
  });
  const { text } = await process.send(taskFor(question.query_key));
  stop();
  return {
    level: question.nesting_level,
    right: text.toLowerCase().includes(question.answer.toLowerCase()),
    verified: searches.some((query) => query.includes(question.answer)),
    lookups: searches.length,
    peak: peak.tokens,
  };
}

function taskFor(key: string): string {
  return (
    `Find the value of the key "${key}". If the value is itself a key, look that up as well, and go on until you ` +
    'have verified that the value is not a key. Answer with the final value.'
  );
}

function report(answered: readonly Answered[], window: number): EvalReport {
  const levels = [...new Set(answered.map(({ level }) => level))].toSorted((a, b) => a - b);
  const rows = levels.map((level) => {
    const of = answered.filter((entry) => entry.level === level);
    return [level, of.length, ...figuresOf(of)];
  });
  const right = answered.filter((entry) => entry.right).length;
  const verified = answered.filter((entry) => entry.verified).length;
  return {
    name: nestedKv.name,
    title: `nested key-value, 140 pairs in archival storage, window ${window} tokens`,
    columns: ['level', 'questions', 'right', 'verified', 'searches', 'peak tokens'],
    rows,
    figures: { questions: answered.length, right, verified },
  };
}

function figuresOf(of: readonly Answered[]): (string | number)[] {
  const share = (test: (entry: Answered) => boolean) => percent(of.filter(test).length, of.length);
  const mean = of.reduce((sum, { lookups }) => sum + lookups, 0) / of.length;
  return [
    share(({ right }) => right),
    share(({ verified }) => verified),
    mean.toFixed(1),
    Math.max(...of.map(({ peak }) => peak)),
  ];
}
