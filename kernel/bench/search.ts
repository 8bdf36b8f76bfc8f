/**
 * Search on the development sets, without a model: share of the evidence among the first ten.
 * `npx tsx --conditions=source kernel/bench/search.ts`, with `PAGEFAULT_DATA` when the data is not in `../shared/data`.
 */
import { fuse, planQuery, type Ranked } from '../src/core/search/index.js';
import { VECTOR_WEIGHT } from '../src/core/search/limits.js';
import { indexSet, type Index } from './search-index.js';
import { beam, dataFolder, documentQa, hasData, locomo, memoryBank, type SearchSet } from './search-sets.js';
import { openVectors, type Vectors } from './search-vectors.js';

const FIRST = 10;

interface Score {
  readonly recall: number;
  readonly any: number;
  readonly questions: number;
  readonly milliseconds: number;
}

type Search = (question: string) => readonly Ranked[] | Promise<readonly Ranked[]>;

if (!hasData()) {
  console.log(`skipped: no data in ${dataFolder}; set PAGEFAULT_DATA to the folder that has locomo in it`);
} else {
  await main();
}

async function main(): Promise<void> {
  const sets: readonly (readonly [string, readonly SearchSet[]])[] = [
    ['LoCoMo', locomo()],
    ['document QA', documentQa()],
    ['BEAM 100K', beam('100K')],
    ['BEAM 500K', beam('500K')],
    ['MemoryBank cn', memoryBank('cn')],
  ];
  for (const [name, set] of sets) report(`${name}, text`, await measure(set, (index) => index.search));
  const vectors = await openVectors();
  if (vectors === undefined) return;
  try {
    for (const [name, set] of sets.slice(0, 3)) await measureArms(name, set, vectors);
  } finally {
    await vectors.close();
  }
}

async function measureArms(name: string, sets: readonly SearchSet[], vectors: Vectors): Promise<void> {
  const arms = await Promise.all(sets.map(async (set) => vectors.index(set)));
  const bySet = new Map(sets.map((set, i) => [set, arms[i]]));
  const dense = (set: SearchSet): Search => bySet.get(set) ?? (() => []);
  report(`${name}, vectors`, await measure(sets, (_, set) => dense(set)));
  for (const weight of [0.3, VECTOR_WEIGHT, 0.6]) {
    const fused = await measure(sets, (index, set) => async (question) => {
      const near = await dense(set)(question);
      return fuse(index.search(question), near, { weight, preferred: preferredOf(set, question, near) });
    });
    report(`${name}, fused at ${weight}`, fused);
  }
}

/** Those of the nearest whose speaker the question names. */
function preferredOf(set: SearchSet, question: string, near: readonly Ranked[]): ReadonlySet<number> {
  const { named } = planQuery(question, set.speakers);
  return new Set(
    near.map(({ ordinal }) => ordinal).filter((ordinal) => named.includes(set.turns[ordinal]?.speaker ?? '')),
  );
}

async function measure(
  sets: readonly SearchSet[],
  searchOf: (index: Index, set: SearchSet) => Search,
): Promise<Score> {
  let [recall, any, questions, milliseconds] = [0, 0, 0, 0];
  for (const set of sets) {
    const index = indexSet(set);
    const search = searchOf(index, set);
    for (const question of set.questions) {
      const begun = performance.now();
      const hits = (await search(question.text))
        .slice(0, FIRST)
        .map(({ ordinal }) => index.turns[ordinal]?.id);
      milliseconds += performance.now() - begun;
      const share = shareFound(question.evidence, new Set(hits));
      recall += share;
      any += share > 0 ? 1 : 0;
      questions += 1;
    }
  }
  return {
    recall: recall / questions,
    any: any / questions,
    questions,
    milliseconds: milliseconds / questions,
  };
}

// Where no evidence is known, something found is all that can be asked.
function shareFound(evidence: readonly string[], hits: ReadonlySet<string | undefined>): number {
  if (evidence.length === 0) return hits.size > 0 ? 1 : 0;
  return evidence.filter((id) => hits.has(id)).length / evidence.length;
}

function report(name: string, score: Score): void {
  const figures = [
    score.recall.toFixed(4),
    score.any.toFixed(4),
    `${score.questions}`,
    score.milliseconds.toFixed(2),
  ];
  console.log(
    `${name.padEnd(28)} recall@10 ${figures[0]}  any@10 ${figures[1]}  n ${figures[2]}  ${figures[3]} ms`,
  );
}
