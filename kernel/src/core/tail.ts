import type { Instant, Tokens } from '@pagefault/contracts';
import type { ProcessState } from './state.js';
import { groupDigits } from './text.js';
import { localStamp, UTC } from './zone.js';

/** The volatile facts that end every request: pressure, what is hidden, the user's time. */
export function renderTail(
  state: ProcessState,
  pressure: Tokens,
  budget: Tokens,
  now: Instant,
  zone: string = UTC,
): string {
  const { lastSeq, droppedNotes = 0, collections } = state.head;
  const visible = state.pages.reduce((sum, page) => sum + page.messages.length, 0);
  return format(
    groupDigits(pressure),
    groupDigits(budget),
    groupDigits(lastSeq - visible - droppedNotes),
    groupDigits(collections.passages.documents),
    localStamp(now, zone),
  );
}

/** At least as many tokens as any tail: counted once for a processor. */
export function widestTail(zone: string = UTC): string {
  const widest = '999,999,999,999';
  return format(
    widest,
    widest,
    widest,
    widest,
    zone === UTC ? '2999-12-29T23:59Z' : '2999-12-29T23:59+12:45',
  );
}

function format(pressure: string, budget: string, hidden: string, passages: string, now: string): string {
  return (
    `[Memory: ${pressure} of ${budget} tokens used; ${hidden} earlier messages only in recall storage; ` +
    `${passages} passages in archival storage; time ${now}]`
  );
}
