/**
 * BEAM (Tavakoli et al. 2025, arXiv 2510.27246): chats of 100,000 tokens and more, with questions about them. One file is
 * one chat, a message a line; its questions come an hour after the last message, each a step.
 *
 * Needs are annotated: a question needs the messages that its author made it from. Questions that nothing in the chat
 * answers need nothing, and a reply amid the chat needs nothing.
 */
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { isDefined, MADE_SESSION_MS, MADE_STEP_MS, TraceBuilder } from './builder.js';
import {
  CHARACTERS_BY_FOUR,
  headerOf,
  type ImportOptions,
  isRecord,
  shapedLines,
  type TraceSource,
} from './source.js';
import { wordsOf } from './words.js';

const message = z.object({
  id: z.number(),
  role: z.enum(['user', 'assistant']),
  batch: z.number(),
  content: z.string(),
});
const question = z.object({
  qid: z.string(),
  chat: z.string(),
  question: z.string(),
  gold: z.string().nullish(),
  evidence_ids: z.array(z.number()),
});
type Message = z.output<typeof message>;
type Question = z.output<typeof question>;

const MESSAGES = /\.messages\.jsonl$/;
/** In the folder above that of the chat. */
const QUESTIONS = 'probing_questions.jsonl';

export const beam: TraceSource = {
  name: 'beam',
  reads: `a BEAM chat, a message a line, with ${QUESTIONS} in the folder above`,
  needs: ['annotated'],
  needsFrom: 'a question needs the messages that it was made from',
  licence: 'CC BY-SA 4.0 (Mohammadta/BEAM)',
  files: MESSAGES,
  matches: ({ first }) => isRecord(first) && 'batch' in first && 'content' in first,
  read: readChat,
};

async function* readChat(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const chat = `${basename(dirname(file))}/${basename(file).replace(MESSAGES, '')}`;
  const questions = await questionsAbout(chat, file);
  const schedule = 'batches an hour apart, replies 10 s apart; questions an hour after the last message';
  yield await headerOf(beam, file, options, {
    id: `beam-${chat.replace('/', '-')}`,
    clock: 'made',
    schedule,
  });
  const session = new Chat(chat, file, options);
  for await (const { value } of shapedLines(file, message)) yield* session.said(value);
  for (const one of questions) yield* session.asked(one);
}

async function questionsAbout(chat: string, file: string): Promise<readonly Question[]> {
  const questions: Question[] = [];
  for await (const { value } of shapedLines(join(dirname(dirname(file)), QUESTIONS), question))
    if (value.chat === chat) questions.push(value);
  return questions;
}

class Chat {
  readonly #name: string;
  readonly #file: string;
  readonly #options: ImportOptions;
  readonly #count: (text: string) => number;
  readonly #trace = new TraceBuilder('annotated');
  readonly #pages = new Map<number, number>();
  #batch: number | undefined;
  #isAsked = false;

  constructor(name: string, file: string, options: ImportOptions) {
    this.#name = name;
    this.#file = file;
    this.#options = options;
    this.#count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
  }

  *said({ id, role, batch, content }: Message): Generator<TraceLine> {
    if (this.#batch !== undefined && batch !== this.#batch) {
      this.#trace.pass(MADE_SESSION_MS - MADE_STEP_MS);
      yield this.#trace.boundary('task_switch');
    }
    this.#batch = batch;
    const tok = this.#count(content);
    if (role === 'assistant') yield this.#trace.step(tok);
    const about = { session: this.#name, ref: String(id), ...wordsOf(content) };
    const page = this.#trace.page({ tok, kind: role, ...about });
    this.#pages.set(id, page.id);
    yield page;
  }

  *asked(one: Question): Generator<TraceLine> {
    if (!this.#isAsked) this.#trace.pass(MADE_SESSION_MS - MADE_STEP_MS);
    this.#isAsked = true;
    const tok = this.#count(one.gold ?? '');
    const page = { session: this.#name, ref: one.qid };
    yield this.#trace.page({
      tok: this.#count(one.question),
      kind: 'user',
      ...page,
      ...wordsOf(one.question),
    });
    yield this.#trace.step(tok, this.#evidence(one));
    yield this.#trace.page({ tok, kind: 'assistant', ...page, ...wordsOf(one.gold ?? '') });
  }

  #evidence({ qid, evidence_ids: ids }: Question): number[] {
    const why = (id: number) => `the evidence ${id} of ${qid} is no message of ${this.#name}`;
    for (const id of ids)
      if (!this.#pages.has(id)) this.#options.onSkipped?.({ file: this.#file, why: why(id) });
    return ids.map((id) => this.#pages.get(id)).filter(isDefined);
  }
}
