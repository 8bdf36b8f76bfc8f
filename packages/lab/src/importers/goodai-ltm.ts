/**
 * Logs of the GoodAI LTM benchmark: one long conversation in which some thirty tests are interleaved with filler.
 *
 * Needs are annotated: a question needs the earlier messages of its test that are no questions. That is more than the
 * true evidence (small talk within a test counts), and it says nothing of the agent's own replies.
 */
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { TraceBuilder } from './builder.js';
import {
  CHARACTERS_BY_FOUR,
  headerOf,
  type ImportOptions,
  isRecord,
  shapedLines,
  type TraceSource,
} from './source.js';
import { wordsOf } from './words.js';

const event = z.object({
  type: z.int(),
  timestamp: z.number(),
  test_id: z.string(),
  data: z.object({ message: z.string().optional(), is_question: z.boolean().default(false) }),
});

/** Who speaks, by the number of the event; the others begin and end tests. */
const SENT_BY_TEST = 0;
const KINDS: ReadonlyMap<number, 'user' | 'assistant'> = new Map([
  [SENT_BY_TEST, 'user'],
  [3, 'user'],
  [4, 'assistant'],
  [5, 'assistant'],
]);

export const goodaiLtm: TraceSource = {
  name: 'goodai-ltm',
  reads: 'GoodAI LTM benchmark: master_log.jsonl of one run',
  needs: ['annotated'],
  needsFrom: 'a question needs the earlier messages of its test',
  licence: 'MIT (GoodAI/goodai-ltm-benchmark)',
  files: /master_log\.jsonl$/,
  matches: ({ first }) => isRecord(first) && 'test_id' in first && 'timestamp' in first && 'data' in first,
  read: readLog,
};

async function* readLog(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  yield await headerOf(goodaiLtm, file, options, { clock: 'recorded' });
  const count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
  const trace = new TraceBuilder('annotated');
  const told = new Map<string, number[]>();
  let [needs, start, test]: [readonly number[], number | undefined, string | undefined] = [
    [],
    undefined,
    undefined,
  ];
  for await (const { value, number } of shapedLines(file, event)) {
    const { type, timestamp, test_id: ofTest, data } = value;
    const kind = KINDS.get(type);
    if (data.message === undefined || !kind) continue;
    const ms = 1_000 * (timestamp - (start ??= timestamp));
    const tok = count(data.message);
    if (test !== undefined && test !== ofTest) yield trace.boundary('task_switch');
    test = ofTest;
    if (kind === 'assistant') {
      yield trace.step(tok, needs, ms);
      needs = [];
    }
    const about = { ref: `line ${number}`, ...(ofTest !== '' && { session: ofTest }) };
    const page = trace.page({ tok, kind, ...about, ...wordsOf(data.message) });
    yield page;
    if (type !== SENT_BY_TEST || ofTest === '') continue;
    const earlier = told.get(ofTest) ?? [];
    if (data.is_question) needs = [...earlier];
    else told.set(ofTest, [...earlier, page.id]);
  }
}
