/** A summary always comes: from the summariser, tried twice; else from the one that needs no model. */
import type { Bill, Reply } from '@pagefault/contracts';
import { billOf, type NamedBill, named, spendIn } from '../../core/bills.js';
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
  /** Of all tries. */
  readonly bills?: readonly NamedBill[];
}

export interface SummaryMakers {
  readonly summariser: Summariser;
  readonly services: Pick<Services, 'bus' | 'spending'>;
  /** The name of the processor that the process runs on. */
  readonly processor: string;
  /** False on an overlay. Default true. */
  readonly isKept?: boolean;
}

/**
 * The text of an error is never a summary (A52), and nothing leaves the queue without one: what the model could not
 * fold is carried by extraction, and its originals are in recall. So it is when a cap on spending is reached.
 */
export async function makeSummary(
  { summariser, services: { bus, spending }, processor, isKept = true }: SummaryMakers,
  state: ProcessState,
  input: SummaryInput,
  signal: AbortSignal,
): Promise<MadeSummary> {
  const { pid, counters } = state.head;
  const bills: NamedBill[] = [];
  const by = summariser.processor ?? processor;
  const onBills = (some: readonly Bill[], name: string = by): void => {
    const before = isKept ? (counters.spend ?? 0) + spendIn(bills) : undefined;
    spending.heard(pid, named(some, name), before);
    bills.push(...named(some, name));
  };
  const onReply = (reply: Reply): void => {
    onBills([billOf(reply)], reply.route?.answeredBy);
    if (reply.route) bus.raise('processor-routed', { ...reply.route, pid, summary: true });
  };
  const tries = (await spending.cap(state)) ? 0 : TRIES;
  for (let attempt = 0; attempt < tries && !signal.aborted; attempt++) {
    try {
      const text = normaliseText(await summariser.summarise(input, signal, onReply, onBills)).trim();
      if (!isBlank(text)) return { text, by: summariser.id, ...(bills.length > 0 && { bills }) };
    } catch (error) {
      bus.raise('summary-failed', { pid, error });
    }
  }
  const text = await extractive.summarise(input, signal);
  return { text, by: extractive.id, ...(bills.length > 0 && { bills }) };
}
