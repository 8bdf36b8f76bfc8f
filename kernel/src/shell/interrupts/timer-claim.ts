/**
 * A timer that is due becomes an interrupt by one commit, which also moves the timer on: whoever commits first has
 * claimed the occurrence, and a clock that goes back finds it gone.
 */
import { type Instant, hasCode, type OwnedRow, type RecallDriver, type RowKey } from '@pagefault/contracts';
import { occurrenceInterrupt, occurrenceOf } from '../../timer/occurrence.js';
import { pastOf, readTimer, TIMER_SPACE, timerPut } from '../../timer/timer.js';
import { type Delivery, enqueue } from './delivery.js';
import { keepNewest } from './timer-past.js';

export interface Claiming {
  readonly now: Instant;
  /** Where the occurrence stands in the inbox. */
  readonly place: string;
  /** Of how many occurrences the timer still says what became of them. */
  readonly keep: number;
}

/** Undefined when there is nobody to deliver it to. Errors: `E_STORAGE` for a row that is no timer. */
export async function claimTimer(
  recall: RecallDriver,
  row: OwnedRow,
  { now, place, keep }: Claiming,
): Promise<Delivery | undefined> {
  const { pid } = row;
  const occurrence = occurrenceOf(readTimer(row), now);
  const key: RowKey = { space: TIMER_SPACE, key: row.key };
  const { past, deletes } = await keepNewest(recall, pid, [...pastOf(row), occurrence.id], keep);
  const moved = occurrence.next
    ? { puts: [timerPut(occurrence.next, past)], deletes }
    : { deletes: [key, ...deletes] };
  const together = { ...moved, expect: [{ ...key, version: row.version }] };
  const arrival = {
    interrupt: occurrenceInterrupt(occurrence, now),
    merge: (waiting: Parameters<typeof occurrenceInterrupt>[2]) =>
      occurrenceInterrupt(occurrence, now, waiting),
  };
  try {
    const delivery = await enqueue(recall, pid, arrival, place, together);
    // Delivered under this id before, by a timer that was set again: it only moves on.
    if (delivery.state === 'known') await unlessTaken(recall.commit({ pid, ...together }));
    return delivery;
  } catch (error) {
    if (!hasCode(error, 'E_KILLED')) throw error;
    await recall.commit({ pid, deletes: [key] });
    return undefined;
  }
}

/** Another kernel may have claimed it meanwhile. */
async function unlessTaken(commit: Promise<void>): Promise<void> {
  try {
    await commit;
  } catch (error) {
    if (!hasCode(error, 'E_CONFLICT')) throw error;
  }
}
