import type { Kernel } from '@pagefault/kernel';
import { formatDuration } from '../../terminal/index.js';
import type { Io } from './io.js';
import { createPrinter } from './print.js';
import { unlessStopped } from './stop.js';

/** Shorter waits are not worth a line. Milliseconds. */
const WORTH_TELLING = 1000;

/** Waits until every text has its vector. What could not be embedded stays for the next run, and is said. */
export async function settleIndex(io: Io, kernel: Kernel, signal: AbortSignal): Promise<void> {
  const printer = createPrinter(io);
  const start = io.now();
  let problem: unknown;
  const forget = kernel.bus.on('index-failed', ({ error }) => (problem = error));
  try {
    await unlessStopped(signal, kernel.settle());
  } finally {
    forget();
  }
  const took = io.now() - start;
  if (took >= WORTH_TELLING) printer.note(`the index caught up in ${formatDuration(took)}`);
  if (problem !== undefined)
    printer.note(`some texts are found by words only for now: ${messageOf(problem)}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
