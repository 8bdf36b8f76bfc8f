/** What the lab is measured on: published traces where they are at hand, else made ones. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  collectTrace,
  filesOf,
  importTrace,
  type PagingTrace,
  readClassic,
  RequestLog,
  type Requests,
  type TraceLine,
  traceSource,
} from '@pagefault/lab';

/** `PAGEFAULT_TRACES`, else `shared/traces` beside the checkout, as the tests find them. */
const TRACES =
  process.env['PAGEFAULT_TRACES'] ?? fileURLToPath(new URL('../../../../../shared/traces', import.meta.url));

/** A classic trace, and the pages that it is run with. */
export const CLASSIC = {
  OLTP: { file: 'classic/arc/OLTP.lis.zst', frames: 1_000 },
  sprite: { file: 'classic/lirs/sprite.trace.gz', frames: 500 },
  P3: { file: 'classic/arc/P3.lis.zst', frames: 32_768 },
  Zipf: { file: undefined, frames: 1_000 },
} as const;
export type ClassicName = keyof typeof CLASSIC;

export const LLM = {
  'GoodAI 32k': ['goodai-ltm', 'llm/goodai-ltm/b3-32k-gpt4o.master_log.jsonl'],
  'GoodAI 120k': ['goodai-ltm', 'llm/goodai-ltm/b3-120k-gpt4o.master_log.jsonl'],
  'tau-bench': ['tau-bench', 'llm/tau-bench/gpt-4o-airline.first-half.json'],
  'SWE-agent': ['swe-agent', 'llm/swe-agent'],
} as const;
export type LlmName = keyof typeof LLM;

/** Those of the wanted that are at hand; the made one when none is. */
export function classicAtHand(wanted: readonly ClassicName[]): ClassicName[] {
  const found = wanted.filter((name) => existsSync(join(TRACES, CLASSIC[name].file ?? '-')));
  return found.length > 0 ? found : ['Zipf'];
}

export function llmAtHand(): LlmName[] {
  return (Object.keys(LLM) as LlmName[]).filter((name) => existsSync(join(TRACES, LLM[name][1])));
}

export function classicRequests(name: ClassicName): Promise<Requests> {
  const { file } = CLASSIC[name];
  return file === undefined ? Promise.resolve(zipf(1_000_000, 50_000)) : readClassic(join(TRACES, file));
}

export async function llmTrace(name: LlmName | 'made'): Promise<PagingTrace> {
  if (name === 'made') return collectTrace(madeLines(50_000));
  const [source, path] = LLM[name];
  const files = await filesOf(traceSource(source), [join(TRACES, path)]);
  return collectTrace(importTrace(traceSource(source), files, { onSkipped: () => undefined }));
}

/** Page k with a chance of about 1/k. */
function zipf(requests: number, pages: number): Requests {
  const [log, draw] = [new RequestLog(), draws(1)];
  for (let n = 0; n < requests; n++) log.add(Math.floor(pages ** draw()));
  return log.requests();
}

/** A page and a need of an earlier one at each step, in one session. */
function* madeLines(steps: number): Generator<TraceLine> {
  yield { type: 'header', v: 1, id: 'made', source: 'made', needKinds: ['derived'] };
  const draw = draws(2);
  for (let i = 0; i < steps; i++) {
    yield { type: 'page', id: i, step: i, tok: 50 + Math.floor(draw() * 300), kind: 'tool_result' };
    const id = i - Math.floor(Math.min(i, 400) * draw());
    yield { type: 'step', i, ms: i * 1_000, out: 100, needs: i % 3 === 0 ? [{ id, why: 'derived' }] : [] };
  }
}

/** In [0, 1), the same each time: Park and Miller's generator. */
function draws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
