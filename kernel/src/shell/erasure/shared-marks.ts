/**
 * What a process leaves at shared blocks, which are nobody's: what it wrote into them stays, under its pid, which tells
 * nothing once the process is gone. The marks by which its calls happen once go.
 */
import type { Pid, RecallDriver } from '@pagefault/contracts';
import { MARK_SPACE } from '../blocks/shared-store.js';
import { SLICE } from '../storage.js';

/** Ids of the shared blocks that the process's model has edited. */
export async function sharedEditedBy(recall: RecallDriver, pid: Pid): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const slice = await recall.scan(MARK_SPACE, { limit: SLICE, ...(after !== undefined && { after }) });
    for (const row of slice.items) if (row.key === pid) ids.push(row.pid);
    if (slice.cursor === undefined) return ids;
    after = slice.cursor;
  }
}

/** Idempotent. */
export async function forgetMarks(recall: RecallDriver, pid: Pid, ids: readonly string[]): Promise<void> {
  for (const id of ids) await recall.commit({ pid: id, deletes: [{ space: MARK_SPACE, key: pid }] });
}
