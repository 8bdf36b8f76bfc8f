/**
 * A timer that is due becomes an interrupt by one commit, which also moves the timer on: whoever commits first has
 * claimed the occurrence, and a clock that goes back finds it gone.
 */
import { type Instant, hasCode, type OwnedRow, type RecallDriver, type RowKey } from '@pagefault/contracts';
import { occurrenceInterrupt, occurrenceOf } from '../timer/occurrence.js';
import { readTimer, TIMER_SPACE, timerPut } from '../timer/timer.js';
import { type Delivery, enqueue } from './delivery.js';

/** Undefined when there is nobody to deliver it to. Errors: `E_STORAGE` for a row that is no timer. */
export async function claimTimer(
  recall: RecallDriver,
  row: OwnedRow,
  now: Instant,
  place: string,
): Promise<Delivery | undefined> {
  const occurrence = occurrenceOf(readTimer(row), now);
  const key: RowKey = { space: TIMER_SPACE, key: row.key };
  const moved = occurrence.next ? { puts: [timerPut(occurrence.next)] } : { deletes: [key] };
  const expect = [{ ...key, version: row.version }];
  const arrival = {
    interrupt: occurrenceInterrupt(occurrence, now),
    merge: (waiting: Parameters<typeof occurrenceInterrupt>[2]) =>
      occurrenceInterrupt(occurrence, now, waiting),
  };
  try {
    const delivery = await enqueue(recall, row.pid, arrival, place, { ...moved, expect });
    // Delivered under this id before, by a timer that was set again: it only moves on.
    if (delivery.state === 'known') await unlessTaken(recall.commit({ pid: row.pid, ...moved, expect }));
    return delivery;
  } catch (error) {
    if (!hasCode(error, 'E_KILLED')) throw error;
    await recall.commit({ pid: row.pid, deletes: [key] });
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
