/**
 * LoCoMo (Maharana et al. 2024): conversations of two people over many dated sessions, with questions about them. The
 * first speaker is taken as the user, the second as the assistant, who replies. A conversation's questions come after its
 * last session, each a step; a file with several conversations becomes one trace, with the end of a session after each,
 * because a single one has too few needs to rank anything.
 *
 * Needs are annotated: a question needs the turns that its author named as evidence, or those that an audit named instead.
 * Turns that would do as well are not named, and a reply amid the conversation needs nothing.
 */
import { dirname, join } from 'node:path';
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

const turn = z.object({
  dia_id: z.string(),
  speaker: z.string(),
  text: z.string(),
  image_caption: z.string().optional(),
});
const session = z.object({
  sample_id: z.string(),
  speaker_a: z.string(),
  date_time: z.string(),
  turns: z.array(turn),
});
const question = z.object({
  qid: z.string(),
  sample_id: z.string(),
  question: z.string(),
  answer: z.union([z.string(), z.number()]).nullish(),
  evidence: z.array(z.string()),
  duplicate_of: z.string().nullish(),
  audit: z.object({ correct_evidence: z.array(z.string()).optional() }).nullish(),
});
type Session = z.output<typeof session>;
type Turn = z.output<typeof turn>;
type Question = z.output<typeof question>;

/** Beside the sessions. */
const QUESTIONS = 'locomo_qa_clean.jsonl';

export const locomo: TraceSource = {
  name: 'locomo',
  reads: `LoCoMo sessions, one a line, with ${QUESTIONS} beside them`,
  needs: ['annotated'],
  needsFrom: 'a question needs the turns that are named as its evidence',
  licence: 'CC BY-NC 4.0 (snap-research/LoCoMo)',
  files: /locomo_sessions\.jsonl$/,
  matches: ({ first }) => isRecord(first) && 'sample_id' in first && 'turns' in first,
  read: readConversations,
};

async function* readConversations(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const questions = await questionsBeside(file);
  const schedule = 'sessions as dated, turns 10 s apart; questions an hour after the last session';
  yield await headerOf(locomo, file, options, { clock: 'made', schedule });
  const trace = new TraceBuilder('annotated');
  let conversation: Conversation | undefined;
  for await (const { value } of shapedLines(file, session)) {
    if (conversation?.id === value.sample_id) yield trace.boundary('task_switch');
    else {
      if (conversation) {
        yield* conversation.asked(questions);
        yield trace.boundary('session_end');
      }
      conversation = new Conversation(value.sample_id, trace, file, options);
    }
    yield* conversation.lines(value);
  }
  if (conversation) yield* conversation.asked(questions);
}

async function questionsBeside(file: string): Promise<readonly Question[]> {
  const questions: Question[] = [];
  for await (const { value } of shapedLines(join(dirname(file), QUESTIONS), question)) questions.push(value);
  return questions.filter(({ duplicate_of: same }) => same === undefined || same === null);
}

class Conversation {
  readonly id: string;
  readonly #trace: TraceBuilder;
  readonly #options: ImportOptions;
  readonly #file: string;
  readonly #count: (text: string) => number;
  readonly #pages = new Map<string, number>();
  #start: number | undefined;

  constructor(id: string, trace: TraceBuilder, file: string, options: ImportOptions) {
    this.id = id;
    this.#trace = trace;
    this.#file = file;
    this.#options = options;
    this.#count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
    trace.pass(MADE_SESSION_MS);
  }

  *lines({ turns, speaker_a: user, date_time: date }: Session): Generator<TraceLine> {
    const at = Date.parse(`${date}Z`);
    if (Number.isFinite(at)) this.#date(at);
    for (const one of turns) {
      const kind = one.speaker === user ? 'user' : 'assistant';
      const [text, tok] = [textOf(one), this.#count(textOf(one))];
      if (kind === 'assistant') yield this.#trace.step(tok);
      const page = this.#trace.page({ tok, kind, session: this.id, ref: one.dia_id, ...wordsOf(text) });
      this.#pages.set(one.dia_id, page.id);
      yield page;
    }
  }

  /** Only how long after the session before it is told: conversations follow each other as if on one day. */
  #date(at: number): void {
    if (this.#start !== undefined) this.#trace.pass(Math.max(0, at - this.#start));
    this.#start = at;
  }

  *asked(questions: readonly Question[]): Generator<TraceLine> {
    this.#trace.pass(MADE_SESSION_MS - MADE_STEP_MS);
    for (const one of questions.filter(({ sample_id: id }) => id === this.id)) {
      const answer = String(one.answer ?? '');
      const tok = this.#count(answer);
      yield this.#trace.page({
        tok: this.#count(one.question),
        kind: 'user',
        session: this.id,
        ref: one.qid,
        ...wordsOf(one.question),
      });
      yield this.#trace.step(tok, this.#evidence(one));
      yield this.#trace.page({ tok, kind: 'assistant', session: this.id, ref: one.qid, ...wordsOf(answer) });
    }
  }

  #evidence({ qid, evidence, audit }: Question): number[] {
    const named = audit?.correct_evidence ?? evidence;
    const why = (id: string) => `the evidence ${id} of ${qid} is no turn of ${this.id}`;
    for (const id of named)
      if (!this.#pages.has(id)) this.#options.onSkipped?.({ file: this.#file, why: why(id) });
    return named.map((id) => this.#pages.get(id)).filter(isDefined);
  }
}

function textOf({ speaker, text, image_caption: caption }: Turn): string {
  return `${speaker}: ${text}${caption === undefined ? '' : ` [${caption}]`}`;
}
