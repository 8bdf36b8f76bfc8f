import type { Instant, Tokens } from '@pagefault/contracts';
import type { ProcessState } from './state.js';
import { groupDigits } from './text.js';

/** The volatile facts that end every request: pressure, what is hidden, the time. */
export function renderTail(state: ProcessState, pressure: Tokens, budget: Tokens, now: Instant): string {
  const visible = state.pages.reduce((sum, page) => sum + page.messages.length, 0);
  return format(
    groupDigits(pressure),
    groupDigits(budget),
    groupDigits(state.head.lastSeq - visible),
    groupDigits(state.head.collections.passages.documents),
    new Date(now).toISOString().slice(0, 16),
  );
}

/** At least as many tokens as any tail: counted once for a processor. */
export function widestTail(): string {
  const widest = '999,999,999,999';
  return format(widest, widest, widest, widest, '2999-12-29T23:59');
}

function format(pressure: string, budget: string, hidden: string, passages: string, now: string): string {
  return (
    `[Memory: ${pressure} of ${budget} tokens used; ${hidden} earlier messages only in recall storage; ` +
    `${passages} passages in archival storage; time ${now}Z]`
  );
}
