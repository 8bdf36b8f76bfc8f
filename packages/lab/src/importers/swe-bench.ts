/**
 * Runs of agents on SWE-bench, as their tools leave them: mini-SWE-agent's trajectories, OpenHands' outputs, and lists of
 * messages in general. A run is a session; results are pages.
 *
 * Needs are derived: what the model does has an exact value (a path, a name of code, a number) that stands in an earlier
 * result, and needs the newest such result, unless the task says it too. They are guesses: a name may be known from
 * elsewhere, and what is recalled without being quoted is not seen. Of results that are errors nothing is quoted.
 */
import type { TraceLine } from '../trace/format.js';
import { MADE_SESSION_MS, TraceBuilder } from './builder.js';
import { exactValuesOf } from './exact-values.js';
import { shapedObjects } from './objects.js';
import { Quotes } from './quotes.js';
import { CHARACTERS_BY_FOUR, headerOf, type ImportOptions, type TraceSource } from './source.js';
import { run, type Turn, turnsOf } from './swe-bench-turns.js';
import { wordsOf } from './words.js';

export const sweBench: TraceSource = {
  name: 'swe-bench',
  reads: 'runs on SWE-bench: JSON or JSON lines with messages, or with OpenHands’ history',
  needs: ['derived'],
  needsFrom: 'a call needs the newest result with an exact value that it says',
  licence: 'as whoever ran them says',
  files: /\.traj\.json$|^output\.jsonl$|trajector.*\.jsonl?$/,
  matches: ({ name, text }) =>
    !name.endsWith('.traj') &&
    (/"messages"\s*:\s*\[\s*\{/.test(text) ||
      (/"instance_id"\s*:/.test(text) && /"(?:history|trajectory)"\s*:\s*\[/.test(text))),
  read: readRuns,
};

async function* readRuns(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const schedule = 'calls 10 s apart, runs an hour';
  yield await headerOf(sweBench, file, options, { clock: 'made', schedule });
  const trace = new TraceBuilder('derived');
  let isFirst = true;
  for await (const { value, line, number } of shapedObjects(file, run)) {
    const turns = turnsOf(value) ?? [];
    if (!turns.some(({ type }) => type === 'reply')) {
      options.onSkipped?.({ file, line, why: 'there is no reply in it, in messages, history or trajectory' });
      continue;
    }
    if (!isFirst) {
      yield trace.boundary('session_end');
      trace.pass(MADE_SESSION_MS);
    }
    isFirst = false;
    yield* linesOf(trace, value.instance_id ?? `run-${number}`, turns, options);
  }
}

function* linesOf(
  trace: TraceBuilder,
  session: string,
  turns: readonly Turn[],
  options: ImportOptions,
): Generator<TraceLine> {
  const { count } = options.tokenizer ?? CHARACTERS_BY_FOUR;
  const quotes = new Quotes();
  let call: number | undefined;
  for (const [at, turn] of turns.entries()) {
    const { text } = turn;
    const tok = count(text);
    if (turn.type === 'reply') yield trace.step(tok, quotes.sourcesOf(exactValuesOf(turn.does)));
    const isOf = turn.type === 'result' && call !== undefined;
    const page = trace.page({
      tok,
      kind: kindOf(turn),
      session,
      ref: `${session}#${at}`,
      ...(isOf && { parent: call }),
      ...(turn.type === 'result' && turn.failed && { failed: true }),
      ...wordsOf(text),
    });
    yield page;
    if (turn.type === 'told') quotes.said(text);
    else if (turn.type === 'reply') call = turn.isCall ? page.id : undefined;
    else if (!turn.failed) quotes.read(page.id, exactValuesOf(text));
  }
}

function kindOf(turn: Turn) {
  if (turn.type === 'told') return turn.kind;
  if (turn.type === 'result') return 'tool_result';
  return turn.isCall ? 'tool_call' : 'assistant';
}
