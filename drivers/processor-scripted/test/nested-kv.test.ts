import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProcessorDriver } from '@pagefault/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createReflexProcessor } from '../src/index.js';
import { fakeMemory, turn } from './fake-memory.js';

const data = process.env.PAGEFAULT_DATA ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const folder = `${data}/memgpt_nested_kv`;
const isPresent = existsSync(`${folder}/nested_kv_questions.jsonl`);
const skipped = isPresent ? '' : ` (skipped: no data at PAGEFAULT_DATA, looked for memgpt_nested_kv)`;
if (!isPresent) console.warn(`nested key-value questions${skipped}`);

interface Question {
  readonly id: string;
  readonly nesting_level: number;
  readonly swap_indices: readonly number[];
  readonly query_key: string;
  readonly chain: readonly string[];
  readonly answer: string;
}

type Pair = readonly [key: string, value: string];

function readQuestions(): readonly Question[] {
  const lines = readFileSync(`${folder}/nested_kv_questions.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Question).filter((question) => question.nesting_level <= 4);
}

function taskOf(key: string): string {
  return (
    `Find the value of the key "${key}". If the value is itself a key, look that up as well, and go on ` +
    'until you have verified that the value is not a key. Answer with the final value.'
  );
}

/** The base table with each value of the chain replaced by the next key. */
function tableOf(base: readonly Pair[], chain: readonly string[]): readonly Pair[] {
  const next = new Map(chain.slice(1).map((key, at) => [chain[at], key]));
  return base.map(([key, value]) => [key, next.get(key) ?? value]);
}

function memoryOf(pairs: readonly Pair[], evict: boolean) {
  const memory = fakeMemory({ perPage: 10, evict });
  const passages = pairs.map(([key, value]) => `Key-value pair: key = ${key}, value = ${value}`);
  memory.passages.push(...passages.map((text) => ({ source: 'pairs', text })));
  return memory;
}

describe('nested key-value look-ups', () => {
  let reflex: ProcessorDriver;

  beforeAll(async () => {
    reflex = createReflexProcessor();
    await reflex.open();
  });

  test.skipIf(!isPresent).each([
    ['all pages of the turn in view', false],
    ['only the newest page in view', true],
  ])(`reflex answers levels 0 to 4, seeds 0 to 29, with %s${skipped}`, async (_, evict) => {
    const base = JSON.parse(readFileSync(`${folder}/base_140_pairs.json`, 'utf8')) as readonly Pair[];
    const questions = readQuestions();
    expect(questions).toHaveLength(150);
    for (const { query_key, chain, answer } of questions) {
      const memory = memoryOf(tableOf(base, chain), evict);
      const { said } = await turn(memory, reflex, taskOf(query_key));
      const way = [...chain, answer].join(' -> ');
      expect(said).toEqual([`The value is ${answer}. I verified that it is not a key. Chain: ${way}`]);
      // One search a key, and one that verifies.
      expect(memory.calls.filter((call) => call.startsWith('archival_memory_search'))).toHaveLength(
        chain.length + 1,
      );
    }
  });

  const K = (n: number) => `182468ea-2fe7-4d32-aaa0-${String(n).padStart(12, '0')}`;
  const long = Array.from({ length: 140 }, (_, n): Pair => [K(n), K(n + 1000)]);

  test.each([false, true])('a loop ends with a message (evicting: %s)', async (evict) => {
    const memory = memoryOf([[K(1), K(2)], [K(2), K(3)], [K(3), K(1)]], evict); // prettier-ignore
    const { said, cycles } = await turn(memory, reflex, taskOf(K(1)));
    expect(cycles).toBe(4);
    expect(said[0]).toContain(`${K(1)} -> ${K(2)} -> ${K(3)} -> ${K(1)} comes back to a key`);
  });

  test.each([false, true])(
    'a chain without end stops after 30 cycles with what it has (evicting: %s)',
    async (evict) => {
      const memory = fakeMemory({ evict, answer: (call) => nextPair(call.arguments) });
      const { said, cycles } = await turn(memory, reflex, taskOf(K(1)));
      expect(cycles).toBe(31);
      expect(said[0]).toContain(`So far the value is ${K(31)}, but I had to stop before the end`);
    },
  );

  test('a key that is in no pair is reported', async () => {
    const { said } = await turn(memoryOf([[K(1), K(2)]], false), reflex, taskOf(K(9)));
    expect(said[0]).toBe(`There is no key "${K(9)}" in memory.`);
  });

  test('further pages are read when the first does not settle it', async () => {
    const memory = memoryOf(long, false);
    // A search that ranks nothing: the pair is on the thirteenth page.
    const blind = fakeMemory({ ...memory.settings, answer: (call) => blindSearch(long, call.arguments) });
    const { said } = await turn(blind, reflex, `What is the value for the key ${K(125)}?`);
    expect(said[0]).toContain(`The value is ${K(1125)}.`);
  });

  test('a failed search is answered with what was found so far', async () => {
    const memory = memoryOf([[K(1), K(2)]], false);
    const failing = fakeMemory({
      answer: (call) =>
        call.name === 'archival_memory_search' && call.arguments.includes(K(2))
          ? { text: 'out of order', isError: true }
          : undefined,
    });
    failing.passages.push(...memory.passages);
    const { said } = await turn(failing, reflex, taskOf(K(1)));
    expect(said[0]).toBe(
      `So far the value is ${K(2)}, but out of order, so I have not verified it. Chain: ${K(1)} -> ${K(2)}`,
    );
  });

  test('pairs are matched exactly in a passage that lists many', async () => {
    const memory = fakeMemory();
    const text = JSON.stringify({ [`${K(1)}0`]: 'wrong', [K(1)]: 'right', other: K(1) }, null, 1);
    memory.passages.push({ source: 'pairs.json', text });
    const { said } = await turn(memory, reflex, taskOf(K(1)));
    expect(said[0]).toContain('The value is right.');
  });
});

/** The value of each key is the next key. */
function nextPair(input: string): { text: string } | undefined {
  const { query } = JSON.parse(input) as { query?: string };
  if (query === undefined) return undefined;
  const value = `${query.slice(0, -12)}${String(Number(query.slice(-12)) + 1).padStart(12, '0')}`;
  return { text: JSON.stringify({ results: [{ text: `key = ${query}, value = ${value}` }] }) };
}

function blindSearch(pairs: readonly Pair[], input: string): { text: string } | undefined {
  const { query, page } = JSON.parse(input) as { query?: string; page?: number };
  if (query === undefined || page === undefined) return undefined;
  const results = pairs
    .slice(10 * page, 10 * page + 10)
    .map(([key, value]) => ({ handle: 'p1', text: `Key-value pair: key = ${key}, value = ${value}` }));
  return { text: JSON.stringify({ query, page, pages: 14, total: 140, results }) };
}
