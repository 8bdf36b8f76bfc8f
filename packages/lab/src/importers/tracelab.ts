/**
 * TraceLab (2026, arXiv 2606.30560): calls that coding agents made, each with what the provider read from its cache and what
 * it did not. A file holds many sessions, a call a line.
 *
 * There is no content, and there are no needs: policies cannot be ranked on it. It has sizes, times and what was billed, to
 * hold the cost model against. What a call's input has grown by is the reply before it, as long as that was, and then what
 * came in. Input that shrinks by more than half was compacted: the context begins anew with what is left.
 */
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { MADE_SESSION_MS, TraceBuilder } from './builder.js';
import { headerOf, type ImportOptions, isRecord, shapedLines, type TraceSource } from './source.js';

const tokens = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const known = tokens.nullish().transform((value) => value ?? 0);
const call = z.object({
  session_id: z.string(),
  round_index: z.int(),
  prefix_tokens: tokens,
  newly_append_tokens: tokens,
  claude_uncached_input_tokens: tokens.nullish(),
  claude_cache_creation_input_tokens: known,
  output_tokens: known,
  timing_events: z.array(z.object({ event_type: z.string(), timestamp: z.string().nullish() })).default([]),
});

/** No more than that is kept of each of hundreds of thousands. */
interface Call {
  readonly at: number;
  readonly round: number;
  readonly read: number;
  readonly write: number;
  readonly plain: number;
  readonly out: number;
  readonly isAsked: boolean;
}

export const tracelab: TraceSource = {
  name: 'tracelab',
  reads: 'TraceLab rounds: JSON lines with prefix_tokens and newly_append_tokens',
  needs: [],
  needsFrom: 'there are none: sizes, times and what was billed, to hold the cost model against',
  licence: 'CC BY 4.0 (TraceLab, SyFI Lab, University of Washington)',
  files: /(?:round|coding)_trace\.jsonl$/,
  matches: ({ first }) => isRecord(first) && 'prefix_tokens' in first && 'newly_append_tokens' in first,
  read: readCalls,
};

async function* readCalls(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const schedule = 'times since each session began; sessions an hour apart';
  yield await headerOf(tracelab, file, options, {
    clock: 'recorded',
    schedule,
    tokenizer: 'the provider’s count',
  });
  const trace = new TraceBuilder();
  let sessions = 0;
  for (const [name, calls] of await sessionsIn(file)) {
    if (sessions++ > 0) {
      yield trace.boundary('session_end');
      trace.pass(MADE_SESSION_MS);
    }
    yield* sessionLines(
      trace,
      name,
      calls.toSorted((a, b) => a.round - b.round),
    );
  }
}

/** Their lines may stand among each other. */
async function sessionsIn(file: string): Promise<ReadonlyMap<string, readonly Call[]>> {
  const sessions = new Map<string, Call[]>();
  for await (const { value } of shapedLines(file, call)) {
    const calls = sessions.get(value.session_id);
    if (calls) calls.push(callOf(value));
    else sessions.set(value.session_id, [callOf(value)]);
  }
  return sessions;
}

function callOf(told: z.output<typeof call>): Call {
  const asked = told.timing_events.filter(({ event_type: type }) =>
    /^(?:user_message|tool_result)$/.test(type),
  );
  const times = (asked.length > 0 ? asked : told.timing_events.slice(0, 1)).map((one) =>
    Date.parse(one.timestamp ?? ''),
  );
  // A provider that does not tell what it wrote to its cache bills that as input.
  const plain = told.claude_uncached_input_tokens ?? told.newly_append_tokens;
  return {
    at: Math.max(...times.filter(Number.isFinite)),
    round: told.round_index,
    read: told.prefix_tokens,
    write: told.claude_cache_creation_input_tokens,
    plain,
    out: told.output_tokens,
    isAsked: asked.some(({ event_type: type }) => type === 'user_message'),
  };
}

function* sessionLines(trace: TraceBuilder, session: string, calls: readonly Call[]): Generator<TraceLine> {
  const [offset, start] = [trace.time, calls.find(({ at }) => Number.isFinite(at))?.at];
  let [held, reply] = [0, 0];
  for (const { at, read, write, plain, out, isAsked } of calls) {
    const input = read + write + plain;
    if (input * 2 < held) {
      yield trace.boundary('compact');
      yield trace.boundary('session_end');
      held = 0;
    }
    const grown = Math.max(0, input - held);
    const before = held === 0 ? Math.min(read, grown) : Math.min(reply, grown);
    const kind = held === 0 ? 'system' : 'assistant';
    yield trace.page({ tok: before, kind, session });
    yield trace.page({ tok: grown - before, kind: isAsked ? 'user' : 'tool_result', session });
    const isTimed = start !== undefined && Number.isFinite(at);
    yield isTimed ? trace.step(out, [], offset + (at - start)) : trace.step(out);
    yield trace.usage({ read, write, plain, out });
    held += grown;
    reply = out;
  }
}
