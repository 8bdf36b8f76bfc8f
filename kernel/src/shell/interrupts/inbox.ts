/** What waits in the inbox of a process, and what became of it. */
import type { Lineage, Pid, RecallDriver } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { Interrupt } from '../../core/events.js';
import { COALESCING_SPACE, DELIVERY_SPACE, INBOX_SPACE } from '../../core/journal.js';
import type { TurnResult } from '../../core/outcome.js';
import { STATE_SPACE, TURN_KEY } from '../../core/records.js';
import { CONTROL_SPACE, controlOf, isServed, type ProcessControl } from '../processes/control.js';
import type { StoredDelivery } from './delivery.js';

export interface Waiting {
  readonly control: ProcessControl;
  /** In the order in which they are served. */
  readonly interrupts: readonly Interrupt[];
}

export async function waiting(recall: RecallDriver, pid: Pid): Promise<Waiting> {
  const rows = await recall.load(pid, [CONTROL_SPACE, INBOX_SPACE]);
  const interrupts = rows
    .filter(({ space }) => space === INBOX_SPACE)
    .map(({ value, version }) => readInterrupt(value as unknown as Interrupt, version));
  return { control: controlOf(rows), interrupts };
}

function readInterrupt(interrupt: Interrupt, version: number): Interrupt {
  return interrupt.coalesce === undefined ? interrupt : { ...interrupt, inboxVersion: version };
}

/**
 * Whether there is anything to do: an interrupt to serve, or a turn that a crash cut off. What a process that was killed
 * still has in its inbox, because the kernel died at that moment, is thrown away.
 */
export async function hasWork(recall: RecallDriver, pid: Pid): Promise<boolean> {
  const { control, interrupts } = await waiting(recall, pid);
  if (control.killedAt !== undefined) await discard(recall, pid, interrupts);
  else if (control.paused) return false;
  else if (interrupts.some((one) => isServed(control, one))) return true;
  return (await recall.get(pid, [{ space: STATE_SPACE, key: TURN_KEY }])).length > 0;
}

/** The stored result of an interrupt, once its turn has ended; of a merged one, that of the one that stands for it. */
export async function storedResult(
  recall: RecallDriver,
  pid: Pid,
  id: string,
): Promise<TurnResult | undefined> {
  const [row] = await recall.get(pid, [{ space: DELIVERY_SPACE, key: id }]);
  const value = row?.value as StoredDelivery | undefined;
  if (value?.into !== undefined) return storedResult(recall, pid, value.into);
  if (value?.state !== 'done') return undefined;
  const { state: _, ...result } = value;
  // Results of before there was steering name one interrupt.
  return { interruptIds: [id], ...result } as unknown as TurnResult;
}

/** Whether the log has a message of this id that did not come through the inbox of this process. */
export async function isForeign(
  recall: RecallDriver,
  pid: Pid,
  lineage: Lineage,
  id: string,
): Promise<boolean> {
  const { items } = await recall.read(lineage, { ids: [id], limit: 1 });
  if (items.length === 0) return false;
  return (await recall.get(pid, [{ space: DELIVERY_SPACE, key: id }])).length === 0;
}

/**
 * Takes an interrupt out whose message id was taken by another writer meanwhile: it could never be served, and would
 * stop all that are behind it. A no-op for one that may still be served.
 */
export async function withdraw(
  recall: RecallDriver,
  pid: Pid,
  lineage: Lineage,
  interrupt: Interrupt,
): Promise<void> {
  const { items } = await recall.read(lineage, { ids: [interrupt.id], limit: 1 });
  if (items.length > 0) await remove(recall, pid, interrupt);
}

/** Since it was read. One that others cannot merge into `waits` as far as is known. */
export async function whatBecameOf(
  recall: RecallDriver,
  pid: Pid,
  interrupt: Interrupt,
): Promise<'waits' | 'merged' | 'withdrawn'> {
  const { inboxKey, inboxVersion } = interrupt;
  if (inboxKey === undefined || inboxVersion === undefined) return 'waits';
  const [row] = await recall.get(pid, [{ space: INBOX_SPACE, key: inboxKey }]);
  if (!row) return 'withdrawn';
  return row.version === inboxVersion ? 'waits' : 'merged';
}

/** Takes out what nobody will serve any more; a no-op for one that was served meanwhile. */
export async function discard(
  recall: RecallDriver,
  pid: Pid,
  interrupts: readonly Interrupt[],
): Promise<void> {
  for (const interrupt of interrupts) {
    await remove(recall, pid, interrupt).catch((error: unknown) => {
      if (!hasCode(error, 'E_CONFLICT')) throw error;
    });
  }
}

async function remove(recall: RecallDriver, pid: Pid, interrupt: Interrupt): Promise<void> {
  const { id, inboxKey, coalesce, inboxVersion = 1 } = interrupt;
  if (inboxKey === undefined) return;
  const row = { space: INBOX_SPACE, key: inboxKey };
  const key = coalesce === undefined ? [] : [{ space: COALESCING_SPACE, key: coalesce }];
  const deletes = [row, { space: DELIVERY_SPACE, key: id }, ...key];
  await recall.commit({ pid, deletes, expect: [{ ...row, version: inboxVersion }] });
}
