/**
 * Published chats as a trace: each is a session, a message a page, a reply a step.
 *
 * Nobody says what a reply needs, so needs are derived: a reply needs the newest earlier message that holds an exact value
 * which the reply says and the messages that it answers do not. They are guesses: a value may be known from elsewhere, and
 * what is used without being quoted is not seen.
 */
import type { TraceHeader, TraceLine } from '../trace/format.js';
import { isDefined, MADE_SESSION_MS, MADE_STEP_MS, TraceBuilder } from './builder.js';
import { exactValuesOf } from './exact-values.js';
import { CHARACTERS_BY_FOUR, headerOf, type ImportOptions, type TraceSource } from './source.js';
import { wordsOf } from './words.js';

export const QUOTED = 'a reply needs the newest earlier message with an exact value that it says';

export interface Said {
  readonly role: 'system' | 'user' | 'assistant' | 'tool_result';
  readonly text: string;
  /** Milliseconds since 1970, where it is told. */
  readonly at?: number | undefined;
}

export interface Chat {
  readonly id: string;
  readonly line: number;
  /** In the order in which they were held; one, where there are no more. */
  readonly sittings: readonly (readonly Said[])[];
}

export async function* chatTrace(
  source: TraceSource,
  file: string,
  options: ImportOptions,
  told: Pick<TraceHeader, 'clock' | 'schedule'>,
  chats: () => AsyncIterable<Chat>,
): AsyncGenerator<TraceLine> {
  yield await headerOf(source, file, options, told);
  const trace = new TraceBuilder('derived');
  let isFirst = true;
  for await (const chat of chats()) {
    if (!chat.sittings.flat().some(({ role }) => role === 'assistant')) {
      options.onSkipped?.({ file, line: chat.line, why: 'nobody replies in it' });
      continue;
    }
    if (!isFirst) {
      yield trace.boundary('session_end');
      trace.pass(MADE_SESSION_MS);
    }
    isFirst = false;
    yield* new QuotingChat(trace, chat.id, options).lines(chat.sittings);
  }
}

class QuotingChat {
  readonly #trace: TraceBuilder;
  readonly #session: string;
  readonly #count: (text: string) => number;
  readonly #newest = new Map<string, number>();
  /** Values of the messages that wait for a reply. */
  readonly #asked = new Set<string>();
  readonly #offset: number;
  #start: number | undefined;
  #messages = 0;

  constructor(trace: TraceBuilder, session: string, options: ImportOptions) {
    this.#trace = trace;
    this.#session = session;
    this.#count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
    this.#offset = trace.time;
  }

  *lines(sittings: readonly (readonly Said[])[]): Generator<TraceLine> {
    for (const [at, sitting] of sittings.entries()) {
      if (at > 0) {
        yield this.#trace.boundary('task_switch');
        this.#trace.pass(MADE_SESSION_MS - MADE_STEP_MS);
      }
      for (const said of sitting) yield* this.#said(said);
    }
  }

  *#said({ role, text, at }: Said): Generator<TraceLine> {
    const [tok, values] = [this.#count(text), exactValuesOf(text)];
    if (role === 'assistant') {
      yield this.#trace.step(tok, this.#sourcesOf(values), this.#since(at));
      this.#asked.clear();
    } else for (const value of values) this.#asked.add(value);
    const ref = `${this.#session}#${this.#messages++}`;
    const page = this.#trace.page({ tok, kind: role, session: this.#session, ref, ...wordsOf(text) });
    yield page;
    for (const value of values) this.#newest.set(value, page.id);
  }

  #sourcesOf(values: ReadonlySet<string>): number[] {
    const quoted = [...values].filter((value) => !this.#asked.has(value));
    return quoted.map((value) => this.#newest.get(value)).filter(isDefined);
  }

  #since(at: number | undefined): number | undefined {
    return at === undefined ? undefined : this.#offset + (at - (this.#start ??= at));
  }
}
