import type { Tokens } from '@pagefault/contracts';
import type { Window } from '@pagefault/driver-kit';

/** A window with the place of the text that it belongs to. */
export interface Job extends Window {
  readonly place: number;
}

export interface BatchLimits {
  readonly batchTexts: number;
  readonly batchTokens: Tokens;
}

/** In order; each as large as both limits allow. One job that is over the limit by itself goes alone. */
export function planBatches(jobs: readonly Job[], { batchTexts, batchTokens }: BatchLimits): Job[][] {
  const batches: Job[][] = [];
  let batch: Job[] = [];
  let tokens = 0;
  for (const job of jobs) {
    if (batch.length === 0 || batch.length === batchTexts || tokens + job.tokens > batchTokens) {
      batches.push((batch = []));
      tokens = 0;
    }
    batch.push(job);
    tokens += job.tokens;
  }
  return batches;
}
