/** Rows of the inbox that hold what goes, and stored answers. */
import type { Json, Put, RecallDriver, Row, RowKey } from '@pagefault/contracts';
import type { Interrupt } from '../../core/events.js';
import { COALESCING_SPACE, DELIVERY_SPACE, INBOX_SPACE } from '../../core/journal.js';
import type { LogScan } from './log-scan.js';
import type { PlanContext } from './plan-context.js';
import { type CheckedTarget, isMeant, namesMessages } from './target.js';

export async function waitingMeant(
  { recall, record }: Pick<PlanContext, 'recall' | 'record'>,
  target: CheckedTarget,
): Promise<readonly Interrupt[]> {
  if (!namesMessages(target)) return [];
  const rows = await recall.load(record.pid, [INBOX_SPACE]);
  return rows
    .map(({ key, value }) => ({ ...(value as unknown as Interrupt), inboxKey: key }))
    .filter(({ message }) => isMeant(target, message));
}

export function rowsOfWaiting(interrupts: readonly Interrupt[]): readonly RowKey[] {
  return interrupts.flatMap(({ id, inboxKey = '', coalesce }) => [
    { space: INBOX_SPACE, key: inboxKey },
    { space: DELIVERY_SPACE, key: id },
    ...(coalesce === undefined ? [] : [{ space: COALESCING_SPACE, key: coalesce }]),
  ]);
}

/**
 * Deliveries of messages that go, and of turns that a message which goes answered. They stay known, so that a sender who
 * tries again does not bring the message back.
 */
export async function answersOf({ recall, record }: PlanContext, scan: LogScan): Promise<readonly string[]> {
  const rows = await readDone(recall, record.pid, [...scan.ids, ...scan.answered]);
  // A turn that others joined has its answer under each of them.
  const joined = rows.flatMap(({ value }) => (value as Done).interruptIds ?? []);
  const all = new Map(
    [...rows, ...(await readDone(recall, record.pid, joined))].map((row) => [row.key, row]),
  );
  return [...all.values()].filter(({ value }) => (value as Done).text !== '').map(({ key }) => key);
}

/** The rows without their answers. */
export async function withoutAnswers(
  { recall, record }: Pick<PlanContext, 'recall' | 'record'>,
  ids: readonly string[],
): Promise<readonly Put[]> {
  const rows = await readDone(recall, record.pid, ids);
  return rows.map(({ space, key, value }) => ({ space, key, value: { ...(value as Done), text: '' } }));
}

interface Done {
  readonly [key: string]: Json;
  readonly interruptIds?: readonly string[];
}

async function readDone(recall: RecallDriver, pid: string, ids: readonly string[]): Promise<readonly Row[]> {
  const keys = [...new Set(ids)].map((key) => ({ space: DELIVERY_SPACE, key }));
  const rows = keys.length === 0 ? [] : await recall.get(pid, keys);
  return rows.filter(({ value }) => (value as { readonly state?: string }).state === 'done');
}
