/** A summary always comes: from the summariser, tried twice; else from the one that needs no model. */
import type { MicroDollars, Reply } from '@pagefault/contracts';
import type { SummaryInput } from '../../core/events.js';
import type { ProcessState } from '../../core/state.js';
import { isBlank, normaliseText } from '../../core/text.js';
import { extractive } from '../../summariser/extractive.js';
import type { Summariser } from '../../summariser/summariser.js';
import type { Services } from '../services.js';

const TRIES = 2;

export interface MadeSummary {
  readonly text: string;
  /** The summariser that wrote it. */
  readonly by: string;
  /** In millionths of a dollar, of all tries. */
  readonly spend?: MicroDollars;
}

export interface SummaryMakers {
  readonly summariser: Summariser;
  readonly services: Pick<Services, 'bus' | 'spending'>;
  /** The name of the processor that the process runs on. */
  readonly processor: string;
}

/**
 * The text of an error is never a summary (A52), and nothing leaves the queue without one: what the model could not
 * fold is carried by extraction, and its originals are in recall. So it is when a cap on spending is reached.
 */
export async function makeSummary(
  { summariser, services: { bus, spending }, processor }: SummaryMakers,
  state: ProcessState,
  input: SummaryInput,
  signal: AbortSignal,
): Promise<MadeSummary> {
  const { pid, counters } = state.head;
  let spend = 0;
  const onReply = (reply: Reply): void => {
    spending.heard(pid, `summariser ${summariser.id} of ${processor}`, (counters.spend ?? 0) + spend, reply);
    spend += reply.spend ?? 0;
    if (reply.route) bus.raise('processor-routed', { ...reply.route, pid, summary: true });
  };
  const tries = (await spending.cap(state)) ? 0 : TRIES;
  for (let attempt = 0; attempt < tries && !signal.aborted; attempt++) {
    try {
      const text = normaliseText(await summariser.summarise(input, signal, onReply)).trim();
      if (!isBlank(text)) return { text, by: summariser.id, ...(spend > 0 && { spend }) };
    } catch (error) {
      bus.raise('summary-failed', { pid, error });
    }
  }
  const text = await extractive.summarise(input, signal);
  return { text, by: extractive.id, ...(spend > 0 && { spend }) };
}
