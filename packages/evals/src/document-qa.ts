/**
 * Document question answering by retrieval (the passages and questions of "Lost in the Middle", Liu et al. 2023): all
 * passages are loaded into archival storage, then each question is put to the search that the agent uses. Measured is
 * how often the passage with the answer is among the first ten: no model judges anything.
 */
import type { Process } from '@pagefault/kernel';
import { start } from '@pagefault/wiring';
import { dataFile, dataFolder, readJsonLines } from './data.js';
import type { EvalOptions, EvalReport, Evaluation } from './eval.js';
import { percent, withTemporaryStore } from './support.js';

const FIRST = 10;
/** Passages handed over at once. */
const BATCH = 64;

interface Passage {
  readonly pid: string;
  readonly title: string;
  readonly text: string;
}

interface Question {
  readonly question: string;
  readonly gold_passage: string;
}

export const documentQa: Evaluation = {
  name: 'document-qa',
  help: 'the passage with the answer among the first ten search results, 1,328 questions',
  run,
};

async function run(options: EvalOptions): Promise<EvalReport> {
  const folder = dataFolder(options.data, options.env ?? process.env);
  const passages = await read<Passage>(folder, 'passages.jsonl');
  const questions = (await read<Question>(folder, 'questions.jsonl')).slice(0, options.limit);
  return withTemporaryStore(options, async (store) => {
    const overrides = { ...store.overrides, ...(options.window !== undefined && { window: options.window }) };
    await using machine = await start({ ...store, overrides });
    const agent = await machine.kernel.spawn({ name: documentQa.name });
    await load(agent, passages, options);
    await machine.kernel.settle();
    return report(await ask(agent, questions, options), questions.length);
  });
}

async function read<T>(folder: string, name: string): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of readJsonLines<T>(await dataFile(folder, 'litm_docqa', name))) rows.push(row);
  return rows;
}

async function load(agent: Process, passages: readonly Passage[], options: EvalOptions): Promise<void> {
  for (let from = 0; from < passages.length; from += BATCH) {
    options.signal?.throwIfAborted();
    const batch = passages.slice(from, from + BATCH);
    await agent.archive(batch.map(({ pid, title, text }) => ({ id: pid, text: `${title}\n${text}` })));
    options.onProgress?.({ stage: 'passages', done: from + batch.length, total: passages.length });
  }
}

/** How many questions found their passage. */
async function ask(agent: Process, questions: readonly Question[], options: EvalOptions): Promise<number> {
  let found = 0;
  for (const [index, { question, gold_passage: gold }] of questions.entries()) {
    options.signal?.throwIfAborted();
    const { hits } = await agent.search({ collection: 'passages', query: question, size: FIRST });
    if (hits.some(({ id }) => id === gold)) found++;
    options.onProgress?.({ stage: 'questions', done: index + 1, total: questions.length });
  }
  return found;
}

function report(found: number, questions: number): EvalReport {
  return {
    name: documentQa.name,
    title: `The passage with the answer among the first ${FIRST} results, by words and meaning`,
    columns: ['questions', `recall@${FIRST}`],
    rows: [[questions, percent(found, questions)]],
    figures: { questions, recall: questions === 0 ? 0 : found / questions },
  };
}
