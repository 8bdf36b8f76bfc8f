/**
 * Trajectories of tau-bench: customer service with tools, one conversation an entry of the file. Conversations are short and
 * have few needs each, so a file becomes one trace, with the end of a session after each conversation.
 *
 * Needs are re-reads by default: a call that was made before, with the same arguments, needs the result it had. With `needs:
 * 'derived'` they are values instead: an argument that stands in an earlier result needs the newest such result, unless a
 * user's message holds it too. Re-reads are rare and certain; derived needs are many and guesses.
 */
import { basename } from 'node:path';
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { isDefined, MADE_SESSION_MS, Readings, TraceBuilder } from './builder.js';
import { Quotes, valuesOf } from './quotes.js';
import {
  CHARACTERS_BY_FOUR,
  headerOf,
  type ImportOptions,
  needKind,
  shaped,
  type TraceSource,
  wholeJson,
} from './source.js';
import { stableJson } from './stable-json.js';
import { wordsOf } from './words.js';

const call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
  tool_call_id: z.string().nullish(),
});
const file = z.array(z.object({ task_id: z.int(), trial: z.int().optional(), traj: z.array(message) }));
type Message = z.output<typeof message>;
type Call = z.output<typeof call>;

export const tauBench: TraceSource = {
  name: 'tau-bench',
  reads: 'tau-bench historical trajectories (JSON)',
  needs: ['re-read', 'derived'],
  needsFrom: 're-read: the same call again; derived: an argument stands in an earlier result',
  licence: 'MIT (sierra-research/tau-bench)',
  files: /\.json$/,
  matches: ({ text }) => /^\s*\[\s*\{/.test(text) && /"traj"\s*:/.test(text),
  read: readTrajectories,
};

async function* readTrajectories(path: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const conversations = shaped(file, await wholeJson(path), basename(path));
  const schedule = 'calls 10 s apart, conversations an hour';
  yield await headerOf(tauBench, path, options, { clock: 'made', schedule });
  const trace = new TraceBuilder(needKind(tauBench, options));
  for (const [at, { task_id: task, trial = 0, traj }] of conversations.entries()) {
    if (at > 0) yield trace.boundary('session_end');
    trace.pass(at > 0 ? MADE_SESSION_MS : 0);
    yield* new Conversation(trace, `${task}.${trial}`, options).lines(traj);
  }
}

class Conversation {
  readonly #trace: TraceBuilder;
  readonly #session: string;
  readonly #count: (text: string) => number;
  readonly #isDerived: boolean;
  readonly #calls = new Map<string, { readonly key: string; readonly page: number }>();
  readonly #readings = new Readings();
  readonly #quotes = new Quotes();

  constructor(trace: TraceBuilder, session: string, options: ImportOptions) {
    this.#trace = trace;
    this.#session = session;
    this.#count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
    this.#isDerived = needKind(tauBench, options) === 'derived';
  }

  *lines(messages: readonly Message[]): Generator<TraceLine> {
    for (const one of messages) {
      if (one.role === 'assistant') yield* this.#reply(one);
      else if (one.role === 'tool') yield* this.#result(one);
      else yield this.#told(one.role, one.content ?? '');
    }
  }

  #told(kind: 'system' | 'user', text: string): TraceLine {
    if (kind === 'user') this.#quotes.said(text);
    return this.#trace.page({ tok: this.#count(text), kind, session: this.#session, ...wordsOf(text) });
  }

  *#reply({ content, tool_calls }: Message): Generator<TraceLine> {
    const calls = tool_calls ?? [];
    const text = [content ?? '', ...calls.map((one) => one.function.name + one.function.arguments)].join('');
    const tok = this.#count(text);
    yield this.#trace.step(
      tok,
      calls.flatMap((one) => this.#neededBy(one)),
    );
    const kind = calls.length > 0 ? 'tool_call' : 'assistant';
    const page = this.#trace.page({ tok, kind, session: this.#session, ...wordsOf(text) });
    yield page;
    for (const one of calls) this.#calls.set(one.id, { key: keyOf(one), page: page.id });
  }

  #neededBy(one: Call): number[] {
    if (this.#isDerived) return this.#quotes.sourcesOf(valuesOf(one.function.arguments));
    return [this.#readings.latest(keyOf(one))].filter(isDefined);
  }

  *#result({ content, tool_call_id: id }: Message): Generator<TraceLine> {
    const text = content ?? '';
    const made = this.#calls.get(id ?? '');
    const failed = /^Error\b/i.test(text);
    const page = this.#trace.page({
      tok: this.#count(text),
      kind: 'tool_result',
      session: this.#session,
      ...(made && { obj: made.key, ver: this.#readings.nextVersion(made.key), parent: made.page }),
      ...(failed && { failed }),
      ...wordsOf(text),
    });
    yield page;
    // What went wrong is not read again, it is tried again.
    if (!made || failed) return;
    this.#quotes.read(page.id, valuesOf(text, { names: true }));
    const before = this.#readings.add(made.key, page.id);
    if (before !== undefined) yield this.#trace.supersede(before, page.id);
  }
}

function keyOf({ function: { name, arguments: given } }: Call): string {
  return `${name} ${stable(given)}`;
}

/** Arguments apart from the order of their names. */
function stable(given: string): string {
  try {
    return stableJson(JSON.parse(given));
  } catch {
    return given;
  }
}
