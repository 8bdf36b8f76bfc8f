/** Goes through what a process holds, a slice at a time: a history of any length passes through a bounded memory. */
import type { Collection, IndexedDocument, Lineage, LogEntry, RecallDriver } from '@pagefault/contracts';
import { documentsIn, ownLineage, type PassageRecord, readPassages, SLICE } from '../storage.js';
import type { PlanContext } from './plan-context.js';

/** Oldest first. */
export async function* entriesOf(recall: RecallDriver, lineage: Lineage): AsyncGenerator<LogEntry> {
  for (let cursor: string | undefined; ;) {
    const slice = await recall.read(lineage, { limit: SLICE, ...(cursor !== undefined && { cursor }) });
    yield* slice.items;
    if (slice.cursor === undefined) return;
    cursor = slice.cursor;
  }
}

/** Those that the process itself wrote. */
export function ownDocuments(
  { recall, record, state }: PlanContext,
  collection: Collection,
): AsyncGenerator<IndexedDocument> {
  const from = record.ancestors?.at(-1)?.documents?.[collection] ?? 0;
  const end = state.head.collections[collection].documents;
  return documentsIn(recall, ownLineage(record.pid), collection, from, end);
}

export interface FoundPassage extends PassageRecord {
  readonly id: string;
}

/** In the order in which they came. */
export async function* passagesIn(
  recall: RecallDriver,
  lineage: Lineage,
  from: number,
  end: number,
): AsyncGenerator<FoundPassage> {
  const ids: string[] = [];
  for await (const { ref } of documentsIn(recall, lineage, 'passages', from, end)) {
    if (ids.push(ref) < SLICE) continue;
    yield* await passagesById(recall, lineage, ids.splice(0));
  }
  yield* await passagesById(recall, lineage, ids);
}

/** Those that the process itself took in. */
export function ownPassages({ recall, record, state }: PlanContext): AsyncGenerator<FoundPassage> {
  const from = record.ancestors?.at(-1)?.documents?.passages ?? 0;
  return passagesIn(recall, ownLineage(record.pid), from, state.head.collections.passages.documents);
}

/** Others are left out. */
export async function passagesById(
  recall: RecallDriver,
  lineage: Lineage,
  ids: readonly string[],
): Promise<readonly FoundPassage[]> {
  return [...(await readPassages(recall, lineage, ids))].map(([id, passage]) => ({ ...passage, id }));
}
