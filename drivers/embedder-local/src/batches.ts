/** A window with the place of the text that it belongs to. */
export interface Job {
  readonly text: number;
  readonly window: Int32Array;
}

/**
 * Token places of one batch, padding included. The native runtime holds the event loop while it runs a batch:
 * this bounds it to about 50 ms on one core; twice as much gains nothing.
 */
export const MAX_BATCH_TOKENS = 512;

/** Windows of like length go together, because a batch is padded to its longest; shortest first. */
export function planBatches(jobs: readonly Job[], batchSize: number): Job[][] {
  const batches: Job[][] = [];
  let batch: Job[] = [];
  for (const job of jobs.toSorted((a, b) => a.window.length - b.window.length)) {
    const places = (batch.length + 1) * job.window.length;
    if (batch.length === 0 || batch.length === batchSize || places > MAX_BATCH_TOKENS) {
      batches.push((batch = []));
    }
    batch.push(job);
  }
  return batches;
}
