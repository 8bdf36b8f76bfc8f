/** A summary always comes: from the summariser, tried twice; else from the one that needs no model. */
import type { Pid } from '@pagefault/contracts';
import type { Bus } from '../../bus.js';
import type { SummaryInput } from '../../core/events.js';
import { isBlank, normaliseText } from '../../core/text.js';
import { extractive } from '../../summariser/extractive.js';
import type { Summariser } from '../../summariser/summariser.js';

const TRIES = 2;

export interface MadeSummary {
  readonly text: string;
  /** The summariser that wrote it. */
  readonly by: string;
}

/**
 * The text of an error is never a summary (A52), and nothing leaves the queue without one: what the model could not
 * fold is carried by extraction, and its originals are in recall.
 */
export async function makeSummary(
  { summariser, bus }: { readonly summariser: Summariser; readonly bus: Bus },
  pid: Pid,
  input: SummaryInput,
  signal: AbortSignal,
): Promise<MadeSummary> {
  for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt++) {
    try {
      const text = normaliseText(await summariser.summarise(input, signal)).trim();
      if (!isBlank(text)) return { text, by: summariser.id };
    } catch (error) {
      bus.raise('summary-failed', { pid, error });
    }
  }
  return { text: await extractive.summarise(input, signal), by: extractive.id };
}
