/**
 * The durable inbox. An interrupt is acknowledged when it is in it; its id makes delivery idempotent: a second one with
 * the same id is the first one (C03, C04).
 */
import type { Json, Lineage, Pid, RecallDriver } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { Interrupt } from '../core/events.js';
import { DELIVERY_SPACE, INBOX_SPACE } from '../core/journal.js';
import type { TurnResult } from '../core/outcome.js';
import { CONTROL_SPACE, controlOf, KILLED, killedError, type ProcessControl } from './control.js';

/** Who goes first when several wait. */
const PRIORITY = { user: 0, ipc: 1, device: 2, timer: 3, system: 4 } as const;

/** True when it was new. Errors: `E_KILLED`. */
export async function enqueue(
  recall: RecallDriver,
  pid: Pid,
  interrupt: Interrupt,
  arrival: string,
): Promise<boolean> {
  const key = `${PRIORITY[interrupt.kind]}/${arrival}`;
  try {
    await recall.commit({
      pid,
      expect: [
        { ...KILLED, version: 0 },
        { space: DELIVERY_SPACE, key: interrupt.id, version: 0 },
      ],
      puts: [
        { space: DELIVERY_SPACE, key: interrupt.id, value: { state: 'queued' } },
        { space: INBOX_SPACE, key, value: asJson({ ...interrupt, inboxKey: key }) },
      ],
    });
    return true;
  } catch (error) {
    if (!hasCode(error, 'E_CONFLICT')) throw error;
    if ((await recall.get(pid, [KILLED])).length > 0) throw killedError(pid);
    return false;
  }
}

export interface Waiting {
  readonly control: ProcessControl;
  /** In the order in which they are served. */
  readonly interrupts: readonly Interrupt[];
}

export async function waiting(recall: RecallDriver, pid: Pid): Promise<Waiting> {
  const rows = await recall.load(pid, [CONTROL_SPACE, INBOX_SPACE]);
  const interrupts = rows
    .filter(({ space }) => space === INBOX_SPACE)
    .map((row) => row.value as unknown as Interrupt);
  return { control: controlOf(rows), interrupts };
}

/** The stored result of an interrupt, once its turn has ended. */
export async function storedResult(
  recall: RecallDriver,
  pid: Pid,
  id: string,
): Promise<TurnResult | undefined> {
  const [row] = await recall.get(pid, [{ space: DELIVERY_SPACE, key: id }]);
  const value = row?.value as { readonly state: string } | undefined;
  if (value?.state !== 'done') return undefined;
  const { state: _, ...result } = value;
  return result as unknown as TurnResult;
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
  const { id, inboxKey } = interrupt;
  const { items } = await recall.read(lineage, { ids: [id], limit: 1 });
  if (items.length === 0 || inboxKey === undefined) return;
  await remove(recall, pid, { id, inboxKey });
}

/** Takes out what nobody will serve any more; a no-op for one that was served meanwhile. */
export async function discard(
  recall: RecallDriver,
  pid: Pid,
  interrupts: readonly Interrupt[],
): Promise<void> {
  for (const { id, inboxKey } of interrupts) {
    if (inboxKey === undefined) continue;
    await remove(recall, pid, { id, inboxKey }).catch((error: unknown) => {
      if (!hasCode(error, 'E_CONFLICT')) throw error;
    });
  }
}

async function remove(
  recall: RecallDriver,
  pid: Pid,
  { id, inboxKey }: { readonly id: string; readonly inboxKey: string },
): Promise<void> {
  const deletes = [
    { space: INBOX_SPACE, key: inboxKey },
    { space: DELIVERY_SPACE, key: id },
  ];
  await recall.commit({ pid, deletes, expect: [{ space: INBOX_SPACE, key: inboxKey, version: 1 }] });
}

function asJson(interrupt: Interrupt): Json {
  return interrupt as unknown as Json;
}
