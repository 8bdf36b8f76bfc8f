/**
 * The durable inbox. An interrupt is acknowledged when it is in it; its id makes delivery idempotent: a second one with
 * the same id is the first one (C03, C04).
 */
import type { Json, Pid, RecallDriver } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { Interrupt } from '../core/events.js';
import { DELIVERY_SPACE, INBOX_SPACE } from '../core/journal.js';
import type { TurnResult } from '../core/outcome.js';
import { lineageOf } from './storage.js';

/** Who goes first when several wait. */
const PRIORITY = { user: 0, ipc: 1, device: 2, timer: 3, system: 4 } as const;

/** True when it was new. */
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
      expect: [{ space: DELIVERY_SPACE, key: interrupt.id, version: 0 }],
      puts: [
        { space: DELIVERY_SPACE, key: interrupt.id, value: { state: 'queued' } },
        { space: INBOX_SPACE, key, value: asJson({ ...interrupt, inboxKey: key }) },
      ],
    });
    return true;
  } catch (error) {
    if (hasCode(error, 'E_CONFLICT')) return false;
    throw error;
  }
}

/** What waits, in the order in which it is served. */
export async function waiting(recall: RecallDriver, pid: Pid): Promise<Interrupt[]> {
  const rows = await recall.load(pid, [INBOX_SPACE]);
  return rows.map((row) => row.value as unknown as Interrupt);
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

/** Whether the log has a message of this id that did not come through the inbox. */
export async function isForeign(recall: RecallDriver, pid: Pid, id: string): Promise<boolean> {
  const { items } = await recall.read(lineageOf(pid), { ids: [id], limit: 1 });
  if (items.length === 0) return false;
  return (await recall.get(pid, [{ space: DELIVERY_SPACE, key: id }])).length === 0;
}

/**
 * Takes an interrupt out whose message id was taken by another writer meanwhile: it could never be served, and would
 * stop all that are behind it. A no-op for one that may still be served.
 */
export async function withdraw(recall: RecallDriver, pid: Pid, interrupt: Interrupt): Promise<void> {
  const { id, inboxKey } = interrupt;
  const { items } = await recall.read(lineageOf(pid), { ids: [id], limit: 1 });
  if (items.length === 0 || inboxKey === undefined) return;
  const deletes = [
    { space: INBOX_SPACE, key: inboxKey },
    { space: DELIVERY_SPACE, key: id },
  ];
  await recall.commit({ pid, deletes, expect: [{ space: INBOX_SPACE, key: inboxKey, version: 1 }] });
}

function asJson(interrupt: Interrupt): Json {
  return interrupt as unknown as Json;
}
