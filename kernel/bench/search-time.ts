/**
 * What ranking by words costs over 100,000 messages in plain memory: the store's part is not in it.
 * `npx tsx --conditions=source kernel/bench/search-time.ts [messages]`. Medians, because machines are noisy.
 */
import { indexSet } from './search-index.js';
import type { SearchSet, Turn } from './search-sets.js';

const MESSAGES = Number(process.argv[2] ?? 100_000);
const WORDS_A_TURN = 16;
const TURNS_A_SESSION = 20;
const VOCABULARY = 20_000;
const RUNS = 60;

/** By how often a word is said: the first is in every third message, the last in a few. */
const QUESTIONS: readonly (readonly [name: string, words: readonly number[]])[] = [
  ['rare words', [4_000, 9_000, 15_000]],
  ['mixed words', [40, 400, 4_000, 12_000]],
  ['frequent words', [1, 3, 10, 30]],
];

/** Park and Miller's generator, so that each run measures the same. */
function generator(): () => number {
  let state = 20_231_125;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Zipf's law: a word is said in inverse proportion to its rank. */
function turns(): Turn[] {
  const random = generator();
  const word = () => `word${Math.floor(VOCABULARY ** random())}x`;
  return Array.from({ length: MESSAGES }, (_, i) => ({
    id: `m${i}`,
    text: Array.from({ length: WORDS_A_TURN }, word).join(' '),
    session: `s${Math.floor(i / TURNS_A_SESSION)}`,
    speaker: i % 2 === 0 ? 'Ada' : 'Bob',
    at: 1_700_000_000_000 + i * 60_000,
  }));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function time(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

const set: SearchSet = { turns: turns(), questions: [], speakers: ['Ada', 'Bob'] };
const index = indexSet(set);
console.log(`${MESSAGES} messages, ${index.postings} postings`);
for (const [name, words] of QUESTIONS) {
  const question = `What does Ada say of ${words.map((rank) => `word${rank}x`).join(' and ')}?`;
  const found = index.search(question).length;
  const times = Array.from({ length: RUNS }, () => time(() => index.search(question)));
  const fastest = Math.min(...times);
  console.log(
    `${name.padEnd(16)} ${median(times).toFixed(1)} ms (median), ${fastest.toFixed(1)} ms (fastest), ${found} ranked`,
  );
}
