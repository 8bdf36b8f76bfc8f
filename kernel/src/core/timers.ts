import { TIMER_SPACE, timerPut } from '../timer/timer.js';
import type { Draft } from './draft.js';
import type { TimerChanges } from './events.js';

/** Timers are rows of recall and no part of the state: they are kept, and found, also while nothing runs. */
export function changeTimers(draft: Draft, { set = [], cancel = [] }: TimerChanges): void {
  for (const timer of set) draft.journal.put(timerPut(timer));
  for (const key of cancel) draft.journal.delete({ space: TIMER_SPACE, key });
}
