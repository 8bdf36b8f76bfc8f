/** What the store holds of the occurrences of a timer, and how long. */
import type { Expectation, Pid, RecallDriver, RowKey } from '@pagefault/contracts';
import type { TimerRemains } from '../../core/events.js';
import { COALESCING_SPACE, DELIVERY_SPACE, INBOX_SPACE } from '../../core/journal.js';
import { timerKey } from '../../timer/occurrence.js';
import { type Past, pastOf, TIMER_SPACE } from '../../timer/timer.js';
import { heldUnder, type StoredDelivery } from './delivery.js';

export interface PastKept {
  readonly past: Past;
  readonly deletes: readonly RowKey[];
}

/** The newest `keep`, and those that are not served yet: what is known of the others goes. */
export async function keepNewest(
  recall: RecallDriver,
  pid: Pid,
  past: Past,
  keep: number,
): Promise<PastKept> {
  const ended = await endedOf(recall, pid, past.slice(0, Math.max(0, past.length - keep)));
  return { past: past.filter((id) => !ended.has(id)), deletes: deliveryKeys([...ended]) };
}

export interface TimerFound {
  /** Whether there is the timer itself: one that was due once is gone while its occurrence waits. */
  readonly isSet: boolean;
  readonly remains: TimerRemains;
  /** That nothing of it has changed since. */
  readonly expect: readonly Expectation[];
}

/** A timer with all that goes when it is cancelled. A turn that serves it just now is not a part of it. */
export async function findWhole(recall: RecallDriver, pid: Pid, id: string): Promise<TimerFound> {
  const key = { space: TIMER_SPACE, key: id };
  const [row] = await recall.get(pid, [key]);
  const { keyVersion, waiting } = await heldUnder(recall, pid, timerKey({ id }));
  const ended = await endedOf(recall, pid, row ? pastOf(row) : []);
  return {
    isSet: row !== undefined,
    remains: {
      id,
      ...(waiting && { inboxKey: waiting.key }),
      deliveries: [...ended, ...(waiting ? [waiting.interrupt.id] : [])],
    },
    expect: [
      { ...key, version: row?.version ?? 0 },
      { space: COALESCING_SPACE, key: timerKey({ id }), version: keyVersion },
      ...(waiting ? [{ space: INBOX_SPACE, key: waiting.key, version: waiting.version }] : []),
    ],
  };
}

/** Those of which nothing more is to come. */
async function endedOf(recall: RecallDriver, pid: Pid, ids: Past): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await recall.get(pid, deliveryKeys(ids));
  const open = new Set(
    rows.filter(({ value }) => isOpen(value as unknown as StoredDelivery)).map(({ key }) => key),
  );
  return new Set(ids.filter((id) => !open.has(id)));
}

function isOpen({ state }: StoredDelivery): boolean {
  return state === 'queued' || state === 'running';
}

function deliveryKeys(ids: Past): readonly RowKey[] {
  return ids.map((key) => ({ space: DELIVERY_SPACE, key }));
}
