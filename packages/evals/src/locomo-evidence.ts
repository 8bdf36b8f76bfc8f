/**
 * Evidence recall on LoCoMo (Maharana et al. 2024): five conversations are fed through a small window, then each
 * question is asked on an overlay. Measured is the share of evidence turns among the first ten results of the search
 * that the agent makes: no model judges anything.
 */
import type { Kernel, Process } from '@pagefault/kernel';
import { type TranscriptMessage, readTranscript } from '@pagefault/transcripts';
import { start } from '@pagefault/wiring';
import { dataFile, dataFolder, readJsonLines } from './data.js';
import type { EvalOptions, EvalReport, Evaluation } from './eval.js';
import { percent, withTemporaryStore } from './support.js';

const WINDOW = 4_096;
const FIRST = 10;
/** The paper's seven and `page_in`: in this window the schemas of all would leave a page of results no room. */
const SYSCALLS = [
  'send_message',
  'core_memory_append',
  'core_memory_replace',
  'conversation_search',
  'conversation_search_date',
  'archival_memory_insert',
  'archival_memory_search',
  'page_in',
];
/** Messages handed over at once. */
const BATCH = 64;

const CATEGORIES = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop'];

interface Question {
  readonly qid: string;
  readonly sample_id: string;
  readonly category: number;
  readonly question: string;
  readonly evidence: readonly string[];
  readonly gold_ok: boolean;
  readonly duplicate_of?: string;
}

interface Measured {
  readonly category: number;
  /** Share of the evidence that was found. */
  readonly recall: number;
  readonly any: boolean;
}

interface Requests {
  count: number;
  peak: number;
  over: number;
  budget: number;
}

export const locomoEvidence: Evaluation = {
  name: 'locomo-evidence',
  help: 'evidence turns among the first ten search results, LoCoMo development part',
  run,
};

async function run(options: EvalOptions): Promise<EvalReport> {
  const folder = dataFolder(options.data, options.env ?? process.env);
  const questions = await readQuestions(folder, options.limit);
  const transcript = await dataFile(folder, 'locomo', 'locomo_sessions.jsonl');
  const window = options.window ?? WINDOW;
  return withTemporaryStore(options, async (store) => {
    const requests: Requests = { count: 0, peak: 0, over: 0, budget: 0 };
    const onRequest = (_: string, __: unknown, tokens: number) => note(requests, tokens);
    const overrides = { ...store.overrides, window, syscalls: SYSCALLS };
    await using machine = await start({ ...store, overrides, onRequest });
    machine.kernel.bus.on('request', ({ budget }) => (requests.budget = budget));
    const processes = await feed(machine.kernel, transcript, options);
    await machine.kernel.settle();
    const measured = await askAll(machine.kernel, processes, questions, options);
    return report(measured, requests, window);
  });
}

function note(requests: Requests, tokens: number): void {
  requests.count++;
  requests.peak = Math.max(requests.peak, tokens);
  if (requests.budget > 0 && tokens > requests.budget) requests.over++;
}

async function readQuestions(folder: string, limit = Infinity): Promise<Question[]> {
  const file = await dataFile(folder, 'locomo', 'locomo_qa_clean.jsonl');
  const questions: Question[] = [];
  for await (const question of readJsonLines<Question>(file)) {
    const answerable = question.category >= 1 && question.category <= 4 && question.evidence.length > 0;
    if (question.gold_ok && answerable && !question.duplicate_of && questions.length < limit)
      questions.push(question);
  }
  return questions;
}

async function feed(kernel: Kernel, file: string, options: EvalOptions): Promise<Map<string, Process>> {
  const byConversation = new Map<string, TranscriptMessage[]>();
  for await (const message of readTranscript(file)) {
    const list = byConversation.get(message.conversation) ?? [];
    byConversation.set(message.conversation, [...list, message]);
  }
  const total = [...byConversation.values()].reduce((sum, messages) => sum + messages.length, 0);
  const processes = new Map<string, Process>();
  let done = 0;
  for (const [conversation, messages] of byConversation) {
    const process = (await kernel.find(conversation)) ?? (await kernel.spawn({ name: conversation }));
    processes.set(conversation, process);
    for (let from = 0; from < messages.length; from += BATCH) {
      options.signal?.throwIfAborted();
      const batch = messages.slice(from, from + BATCH);
      await process.append(batch);
      done += batch.length;
      options.onProgress?.({ stage: 'messages', done, total });
    }
  }
  return processes;
}

async function askAll(
  kernel: Kernel,
  processes: ReadonlyMap<string, Process>,
  questions: readonly Question[],
  options: EvalOptions,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const question of questions) {
    options.signal?.throwIfAborted();
    const process = processes.get(question.sample_id);
    if (process) measured.push(await ask(kernel, process, question));
    options.onProgress?.({ stage: 'questions', done: measured.length, total: questions.length });
  }
  return measured;
}

/** Counts what the agent was shown by its first search of recall. */
async function ask(kernel: Kernel, process: Process, question: Question): Promise<Measured> {
  let shown: readonly string[] | undefined;
  const stop = kernel.bus.on('call-finished', ({ pid, name, recalled }) => {
    if (pid === process.pid && name === 'conversation_search') shown ??= recalled;
  });
  await process.ask(question.question);
  stop();
  const found = new Set(await process.messageIds((shown ?? []).slice(0, FIRST)));
  const hits = question.evidence.filter((turn) => found.has(`${question.sample_id}/${turn}`)).length;
  return { category: question.category, recall: hits / question.evidence.length, any: hits > 0 };
}

function report(measured: readonly Measured[], requests: Requests, window: number): EvalReport {
  const rows = [1, 2, 3, 4].map((category) =>
    row(
      CATEGORIES[category] ?? '',
      measured.filter((one) => one.category === category),
    ),
  );
  const all = row('all', measured);
  return {
    name: locomoEvidence.name,
    title:
      `LoCoMo evidence among the first ten results, window ${window} tokens; ${requests.count} requests laid out, ` +
      `largest ${requests.peak} of ${requests.budget}, over budget ${requests.over}`,
    columns: ['category', 'questions', `recall@${FIRST}`, `any@${FIRST}`],
    rows: [...rows, all],
    figures: {
      questions: measured.length,
      recall: mean(measured.map(({ recall }) => recall)),
      any: mean(measured.map(({ any }) => (any ? 1 : 0))),
      requests: requests.count,
      overBudget: requests.over,
    },
  };
}

function row(name: string, measured: readonly Measured[]): (string | number)[] {
  const recall = measured.reduce((sum, one) => sum + one.recall, 0);
  const any = measured.filter((one) => one.any).length;
  return [name, measured.length, percent(recall, measured.length), percent(any, measured.length)];
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
