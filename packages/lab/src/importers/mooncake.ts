/**
 * Mooncake's traces of requests to a server of a language model. A request is a step, a block of 512 tokens of its prompt a
 * page: what a cache of prefixes on the server would hold.
 *
 * Needs are re-reads: a block that an earlier request had is asked for again. They are independent of each other here; a
 * cache of prefixes can use a block only if it has all before it in the request too. Nothing says what the blocks hold.
 */
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { TraceBuilder } from './builder.js';
import { headerOf, type ImportOptions, isRecord, shapedLines, type TraceSource } from './source.js';

/** Tokens of a block (Qin et al. 2025, FAST). */
const BLOCK = 512;

const request = z.object({
  timestamp: z.number().min(0),
  input_length: z.int().min(0),
  output_length: z.int().min(0),
  hash_ids: z.array(z.int()),
});

export const mooncake: TraceSource = {
  name: 'mooncake',
  reads: 'Mooncake request traces: JSON lines with hash_ids of prefix blocks',
  needs: ['re-read'],
  needsFrom: 'a block that an earlier request had is asked for again',
  licence: 'Apache-2.0 (kvcache-ai/Mooncake)',
  files: /trace\.jsonl$/,
  matches: ({ first }) => isRecord(first) && 'hash_ids' in first && 'input_length' in first,
  read: readRequests,
};

async function* readRequests(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const tokenizer = 'as recorded; blocks of 512';
  yield await headerOf(mooncake, file, options, { clock: 'recorded', tokenizer });
  const trace = new TraceBuilder('re-read');
  const pages = new Map<number, number>();
  let start: number | undefined;
  for await (const { value } of shapedLines(file, request)) {
    const needs: number[] = [];
    const born = new Set<number>();
    for (const [at, block] of value.hash_ids.entries()) {
      const known = pages.get(block);
      if (known === undefined) {
        const page = trace.page({ tok: sizeOf(at, value.input_length), kind: 'doc', obj: String(block) });
        pages.set(block, page.id);
        born.add(page.id);
        yield page;
      } else if (!born.has(known)) needs.push(known);
    }
    yield trace.step(value.output_length, needs, value.timestamp - (start ??= value.timestamp));
  }
}

/** The last block of a prompt may be cut short; one whose length makes no sense is taken as whole. */
function sizeOf(at: number, input: number): number {
  const left = input - at * BLOCK;
  return left > 0 && left < BLOCK ? left : BLOCK;
}
