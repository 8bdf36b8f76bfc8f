import { type EmbedPurpose, PagefaultError } from '@pagefault/contracts';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { planBatches, type Job } from './batches.js';
import { DRIVER } from './model/facts.js';
import { unit } from './plain/arithmetic.js';
import type { Checkpoint, SentenceModel } from './sentence-model.js';

/** Characters that are tokenised before other work of the process gets its turn: some 20 ms. */
const CHARACTERS_A_TURN = 65_536;

export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly purpose: EmbedPurpose;
  /** Numbers a vector. */
  readonly dimension: number;
  readonly batchSize: number;
}

/** One vector of length 1 for each text: the mean over its pieces by their weight, brought to length 1. */
export async function embedTexts<Window>(
  model: SentenceModel<Window>,
  request: EmbedRequest,
  checkpoint: Checkpoint,
): Promise<Float32Array[]> {
  const jobs = await cutTexts(model, request, checkpoint);
  const sums = request.texts.map(() => new Float32Array(request.dimension));
  for (const batch of planBatches(jobs, request.batchSize)) {
    checkpoint();
    const windows = batch.map((job) => job.window);
    const vectors = await model.run(windows, checkpoint);
    batch.forEach((job, i) => addTo(sums[job.text], vectors[i], job.weight));
  }
  return sums.map(toUnit);
}

async function cutTexts<Window>(
  model: SentenceModel<Window>,
  { texts, purpose }: EmbedRequest,
  checkpoint: Checkpoint,
): Promise<Job<Window>[]> {
  const jobs: Job<Window>[] = [];
  let characters = 0;
  for (const [text, content] of texts.entries()) {
    jobs.push(...model.cut(content, purpose).map((piece) => ({ ...piece, text })));
    characters += content.length;
    if (characters < CHARACTERS_A_TURN) continue;
    characters = 0;
    await nextTurnOfTheLoop();
    checkpoint();
  }
  return jobs;
}

function addTo(sum: Float32Array | undefined, vector: Float32Array | undefined, weight: number): void {
  vector?.forEach((n, i) => {
    if (sum !== undefined) sum[i] = (sum[i] ?? 0) + n * weight;
  });
}

// A zero or NaN vector would be sorted first by some stores, so it must not leave the driver.
function toUnit(sum: Float32Array, text: number): Float32Array {
  const vector = unit(sum);
  if (vector.every(Number.isFinite)) return vector;
  throw new PagefaultError('E_STORAGE', `the model gave no usable vector for texts[${text}]`, {
    driver: DRIVER,
    hint: "of the bundled model, delete the cache folder or set runtime: 'plain', and report it; of another, check its dtype",
  });
}
