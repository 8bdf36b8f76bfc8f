import { PagefaultError } from '@pagefault/contracts';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { planBatches, type Job } from './batches.js';
import { DIMENSION, DRIVER } from './model/facts.js';
import type { Model } from './model/open.js';
import { unit } from './plain/arithmetic.js';
import type { Checkpoint } from './runtime.js';
import { windowsOf } from './text/windows.js';

/** Characters that are tokenised before other work of the process gets its turn: some 20 ms. */
const CHARACTERS_A_TURN = 65_536;

/** One vector of length 1 for each text: the mean over its windows, brought to length 1. */
export async function embedTexts(
  model: Model,
  texts: readonly string[],
  batchSize: number,
  checkpoint: Checkpoint,
): Promise<Float32Array[]> {
  const jobs = await cutTexts(model, texts, checkpoint);
  const sums = texts.map(() => new Float32Array(DIMENSION));
  for (const batch of planBatches(jobs, batchSize)) {
    checkpoint();
    const windows = batch.map((job) => job.window);
    const vectors = await model.runtime.run(windows, checkpoint);
    batch.forEach((job, i) => addTo(sums[job.text], vectors[i]));
  }
  return sums.map(toUnit);
}

async function cutTexts(model: Model, texts: readonly string[], checkpoint: Checkpoint): Promise<Job[]> {
  const jobs: Job[] = [];
  let characters = 0;
  for (const [text, content] of texts.entries()) {
    jobs.push(...windowsOf(model.vocabulary, content).map((window) => ({ text, window })));
    characters += content.length;
    if (characters < CHARACTERS_A_TURN) continue;
    characters = 0;
    await nextTurnOfTheLoop();
    checkpoint();
  }
  return jobs;
}

function addTo(sum: Float32Array | undefined, vector: Float32Array | undefined): void {
  vector?.forEach((n, i) => {
    if (sum !== undefined) sum[i] = (sum[i] ?? 0) + n;
  });
}

// A zero or NaN vector would be sorted first by some stores, so it must not leave the driver.
function toUnit(sum: Float32Array, text: number): Float32Array {
  const vector = unit(sum);
  if (vector.every(Number.isFinite)) return vector;
  throw new PagefaultError('E_STORAGE', `the runtime gave no usable vector for texts[${text}]`, {
    driver: DRIVER,
    hint: "delete the cache folder, or set runtime: 'plain', and report it",
  });
}
