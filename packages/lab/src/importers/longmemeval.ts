/**
 * LongMemEval (Wu et al. 2025): 500 questions, each after a history of its own of many dated sessions (`oracle`, `s` and `m`
 * differ in how many are beside the point). One question with its history is one session of the trace. Files have up to
 * gigabytes and are read a question at a time.
 *
 * Needs are annotated: a question needs the turns that are marked as having the answer; where none is, all turns of the
 * sessions that are named. Questions that nothing answers (`_abs`) need nothing, and a reply amid the history needs nothing.
 */
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { MADE_SESSION_MS, MADE_STEP_MS, TraceBuilder } from './builder.js';
import { shapedObjects } from './objects.js';
import { CHARACTERS_BY_FOUR, headerOf, type ImportOptions, type TraceSource } from './source.js';
import { wordsOf } from './words.js';

const turn = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.string().nullish(),
  has_answer: z.boolean().nullish(),
});
const question = z.object({
  question_id: z.string().min(1),
  question: z.string(),
  answer: z.unknown(),
  question_date: z.string().nullish(),
  answer_session_ids: z.array(z.string()).default([]),
  haystack_dates: z.array(z.string()).default([]),
  haystack_session_ids: z.array(z.string()).default([]),
  haystack_sessions: z.array(z.array(turn)),
});
type Question = z.output<typeof question>;
type Turn = z.output<typeof turn>;

export const longmemeval: TraceSource = {
  name: 'longmemeval',
  reads: 'LongMemEval questions with their histories (longmemeval_oracle, _s or _m .json)',
  needs: ['annotated'],
  needsFrom: 'a question needs the turns that have its answer',
  licence: 'MIT (xiaowu0162/LongMemEval)',
  files: /longmemeval.*\.jsonl?$/,
  matches: ({ text }) =>
    /^\s*\[?\s*\{/.test(text) && /"haystack_(?:sessions|dates|session_ids)"\s*:/.test(text),
  read: readQuestions,
};

async function* readQuestions(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const schedule = 'sessions as dated, turns 10 s apart; questions as dated, histories an hour apart';
  yield await headerOf(longmemeval, file, options, { clock: 'made', schedule });
  const trace = new TraceBuilder('annotated');
  for await (const { value, line, number } of shapedObjects(file, question)) {
    if (number > 1) {
      yield trace.boundary('session_end');
      trace.pass(MADE_SESSION_MS);
    }
    const skip = (why: string) => options.onSkipped?.({ file, line, why });
    yield* new History(trace, value, options, skip).lines();
  }
}

interface Dated {
  readonly id: string;
  /** Milliseconds since 1970; undefined when it is not told. */
  readonly at: number | undefined;
  readonly turns: readonly Turn[];
}

class History {
  readonly #trace: TraceBuilder;
  readonly #of: Question;
  readonly #count: (text: string) => number;
  readonly #skip: (why: string) => void;
  readonly #answers: number[] = [];
  /** Pages of the sessions that are named. */
  readonly #named: number[] = [];
  #before: number | undefined;

  constructor(trace: TraceBuilder, of: Question, options: ImportOptions, skip: (why: string) => void) {
    this.#trace = trace;
    this.#of = of;
    this.#count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
    this.#skip = skip;
  }

  *lines(): Generator<TraceLine> {
    for (const [at, session] of sessionsOf(this.#of).entries()) {
      if (at > 0) yield this.#trace.boundary('task_switch');
      this.#wait(session.at, at > 0);
      yield* this.#said(session);
    }
    this.#wait(timeOf(this.#of.question_date), true);
    yield* this.#asked();
  }

  /** What lies between, as dated: at least an hour, for sessions are told to the day or the minute. */
  #wait(at: number | undefined, isLater: boolean): void {
    const gap = at === undefined || this.#before === undefined ? 0 : at - this.#before;
    if (isLater) this.#trace.pass(Math.max(gap, MADE_SESSION_MS) - MADE_STEP_MS);
    this.#before = at ?? this.#before;
  }

  *#said({ id, turns }: Dated): Generator<TraceLine> {
    for (const [at, { role, content, has_answer: has }] of turns.entries()) {
      const [text, ref] = [content ?? '', `${id}#${at}`];
      const tok = this.#count(text);
      if (role === 'assistant') yield this.#trace.step(tok);
      const page = this.#trace.page({
        tok,
        kind: role,
        session: this.#of.question_id,
        ref,
        ...wordsOf(text),
      });
      yield page;
      if (has === true) this.#answers.push(page.id);
      if (this.#of.answer_session_ids.includes(id)) this.#named.push(page.id);
    }
  }

  *#asked(): Generator<TraceLine> {
    const { question_id: id, question: asked, answer } = this.#of;
    const about = { session: id, ref: id };
    yield this.#trace.page({ tok: this.#count(asked), kind: 'user', ...about, ...wordsOf(asked) });
    const told = typeof answer === 'string' ? answer : JSON.stringify(answer ?? '');
    const tok = this.#count(told);
    yield this.#trace.step(tok, this.#needs());
    yield this.#trace.page({ tok, kind: 'assistant', ...about, ...wordsOf(told) });
  }

  #needs(): readonly number[] {
    const { question_id: id } = this.#of;
    if (id.endsWith('_abs')) return [];
    const needs = this.#answers.length > 0 ? this.#answers : this.#named;
    if (needs.length === 0) this.#skip(`nothing in the history of ${id} is told to have its answer`);
    return needs;
  }
}

/** In the order in which they were held: those of `oracle` are not. */
function sessionsOf({
  haystack_sessions: sessions,
  haystack_dates: dates,
  haystack_session_ids: ids,
}: Question): Dated[] {
  const dated = sessions.map((turns, at): Dated => ({
    id: ids[at] ?? `${at}`,
    at: timeOf(dates[at]),
    turns,
  }));
  if (dated.some(({ at }) => at === undefined)) return dated;
  return dated.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

/** `2023/05/20 (Sat) 02:21`, in whatever time zone. */
function timeOf(date: string | null | undefined): number | undefined {
  const [, year, month, day, hour = 0, minute = 0] =
    /^(\d{4})\/(\d{2})\/(\d{2})(?:.*?(\d{2}):(\d{2}))?/.exec(date ?? '') ?? [];
  return year === undefined
    ? undefined
    : Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}
