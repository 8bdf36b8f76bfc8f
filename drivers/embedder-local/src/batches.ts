import type { Piece } from './sentence-model.js';

/** A piece with the place of the text that it belongs to. */
export interface Job<Window> extends Piece<Window> {
  readonly text: number;
}

/**
 * Token places of one batch, padding included. The native runtime holds the event loop while it runs a batch: of the bundled model
 * this bounds it to about 50 ms on one core; twice as much gains nothing.
 */
export const MAX_BATCH_TOKENS = 512;

/** Pieces of like length go together, because a batch is padded to its longest; shortest first. */
export function planBatches<Window>(jobs: readonly Job<Window>[], batchSize: number): Job<Window>[][] {
  const batches: Job<Window>[][] = [];
  let batch: Job<Window>[] = [];
  for (const job of jobs.toSorted((a, b) => a.places - b.places)) {
    const places = (batch.length + 1) * job.places;
    if (batch.length === 0 || batch.length === batchSize || places > MAX_BATCH_TOKENS) {
      batches.push((batch = []));
    }
    batch.push(job);
  }
  return batches;
}
