/** Importers by name, and which of them reads a file. */
import { basename } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import { beam } from './beam.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { goodaiLtm } from './goodai-ltm.js';
import { readBytes } from './lines.js';
import { locomo } from './locomo.js';
import { longmemeval } from './longmemeval.js';
import { mooncake } from './mooncake.js';
import { msc } from './msc.js';
import { recording } from './recording.js';
import { sharegpt } from './sharegpt.js';
import type { Sample, TraceSource } from './source.js';
import { sweAgent } from './swe-agent.js';
import { sweBench } from './swe-bench.js';
import { tauBench } from './tau-bench.js';
import { tracelab } from './tracelab.js';
import { wildchat } from './wildchat.js';

export const TRACE_SOURCES: readonly TraceSource[] = [
  goodaiLtm,
  locomo,
  beam,
  longmemeval,
  msc,
  sharegpt,
  wildchat,
  tauBench,
  sweBench,
  sweAgent,
  mooncake,
  tracelab,
  claudeCode,
  codex,
  recording,
];

/** Errors: `E_CONFIG`, listing those that are known. */
export function traceSource(name: string): TraceSource {
  const found = TRACE_SOURCES.find((source) => source.name === name);
  if (found) return found;
  throw new PagefaultError('E_CONFIG', `no importer goes by ${JSON.stringify(name)}`, {
    hint: `known: ${known()}`,
  });
}

/** Enough for the first line of any of them but one that begins with a long text, which is then told by its fields. */
const SAMPLE_BYTES = 262_144;

/** Which importer reads the file. Errors: `E_NOT_FOUND`; `E_CONFIG` when none does, listing those that are known. */
export async function detect(file: string): Promise<TraceSource> {
  const found = await sourceOf(file);
  if (found) return found;
  throw new PagefaultError('E_CONFIG', `${basename(file)} is of no source that is known`, {
    hint: `say which it is: ${known()}`,
  });
}

/** Errors: `E_NOT_FOUND`. */
export async function sourceOf(file: string): Promise<TraceSource | undefined> {
  const sample = await sampleOf(file);
  return TRACE_SOURCES.find((source) => source.matches(sample));
}

async function sampleOf(file: string): Promise<Sample> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of readBytes(file)) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes >= SAMPLE_BYTES) break;
  }
  return { name: basename(file), text, first: firstLine(text) };
}

function firstLine(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, text.includes('\n') ? text.indexOf('\n') : undefined));
  } catch {
    return undefined;
  }
}

function known(): string {
  return TRACE_SOURCES.map(({ name }) => name).join(', ');
}
