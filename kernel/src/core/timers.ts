import type { RowKey } from '@pagefault/contracts';
import { timerKey } from '../timer/occurrence.js';
import { TIMER_SPACE, timerPut } from '../timer/timer.js';
import type { Draft } from './draft.js';
import type { TimerChanges, TimerRemains } from './events.js';
import { COALESCING_SPACE, DELIVERY_SPACE, INBOX_SPACE } from './journal.js';

/** Timers are rows of recall and no part of the state: they are kept, and found, also while nothing runs. */
export function changeTimers(draft: Draft, { set = [], cancel = [], remains = [] }: TimerChanges): void {
  for (const timer of set) draft.journal.put(timerPut(timer));
  for (const key of cancel) draft.journal.delete({ space: TIMER_SPACE, key });
  for (const key of remains.flatMap(rowsOfRemains)) draft.journal.delete(key);
}

export function rowsOfRemains({ id, inboxKey, deliveries }: TimerRemains): readonly RowKey[] {
  const waiting =
    inboxKey === undefined
      ? []
      : [
          { space: INBOX_SPACE, key: inboxKey },
          { space: COALESCING_SPACE, key: timerKey({ id }) },
        ];
  return [...waiting, ...deliveries.map((key) => ({ space: DELIVERY_SPACE, key }))];
}
