/** What was written before an index of vectors was in use is put into the outbox, to be indexed like the rest. */
import type { Collection, Pid, Put, RecallDriver } from '@pagefault/contracts';
import { HEAD_ROW } from '../../core/records.js';
import type { Head } from '../../core/state.js';
import { documentsIn, ownLineage, PROCESS_ROW, type ProcessRecord, SLICE } from '../storage.js';
import { entryOf, outboxPut } from './outbox-rows.js';

/**
 * Puts all texts that the process wrote itself into the outbox, but for those in hand. Nothing when the first of them is in
 * hand: then there was an index from the beginning. Idempotent. Resolves to how many these were.
 */
export async function fillOutbox(
  recall: RecallDriver,
  pid: Pid,
  collection: Collection,
  inHand: ReadonlySet<number>,
  signal?: AbortSignal,
): Promise<number> {
  const { from, end } = await ownRange(recall, pid, collection);
  if (inHand.has(from)) return 0;
  let waiting = 0;
  let puts: Put[] = [];
  const flush = async () => {
    signal?.throwIfAborted();
    waiting += puts.length;
    if (puts.length > 0) await recall.commit({ pid, puts });
    puts = [];
  };
  for await (const document of documentsIn(recall, ownLineage(pid), collection, from, end)) {
    if (!inHand.has(document.ordinal)) puts.push(outboxPut(entryOf(collection, document)));
    if (puts.length === SLICE) await flush();
  }
  await flush();
  return waiting;
}

/** By ordinal: from the first of its own to, not including, the next that there will be. */
export async function ownRange(recall: RecallDriver, pid: Pid, collection: Collection) {
  const rows = await recall.get(pid, [PROCESS_ROW, HEAD_ROW]);
  const valueOf = (space: string) => rows.find((row) => row.space === space)?.value;
  const record = valueOf(PROCESS_ROW.space) as ProcessRecord | undefined;
  const head = valueOf(HEAD_ROW.space) as Head | undefined;
  return {
    from: record?.ancestors?.at(-1)?.documents?.[collection] ?? 0,
    end: head?.collections[collection].documents ?? 0,
  };
}
