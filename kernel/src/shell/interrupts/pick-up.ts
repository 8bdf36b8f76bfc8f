/** Finds the processes for which something was left: interrupts in the inbox, or a turn that a crash cut off. */
import type { Instant, Pid, RecallDriver, ScanQuery } from '@pagefault/contracts';
import { INBOX_SPACE } from '../../core/journal.js';
import { STATE_SPACE } from '../../core/records.js';
import { SLICE } from '../storage.js';

/** Each once; of turns those that began until `begunBefore`. Whether they may be served is not looked at. */
export async function leftOver(recall: RecallDriver, begunBefore: Instant): Promise<ReadonlySet<Pid>> {
  const pids = new Set<Pid>();
  await scanPids(recall, INBOX_SPACE, {}, pids);
  // Of the rows of state only a turn has a time.
  await scanPids(recall, STATE_SPACE, { dueBefore: begunBefore }, pids);
  return pids;
}

async function scanPids(
  recall: RecallDriver,
  space: string,
  query: Pick<ScanQuery, 'dueBefore'>,
  pids: Set<Pid>,
): Promise<void> {
  for (let after: string | undefined; ;) {
    const slice = await recall.scan(space, { ...query, limit: SLICE, ...(after !== undefined && { after }) });
    for (const { pid } of slice.items) pids.add(pid);
    if (slice.cursor === undefined) return;
    after = slice.cursor;
  }
}
