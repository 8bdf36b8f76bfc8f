/** What is shown of a result is read again from recall: the row of truth, whatever an index says. */
import type { Collection, IndexedDocument, Lineage, LogEntry, RecallDriver } from '@pagefault/contracts';
import { messageText } from '../../core/documents.js';
import type { SearchHit } from '../../core/search-results.js';
import { handleOf } from '../../core/stub.js';
import { type PassageRecord, readPassages } from '../storage.js';

/** In the order of the documents; what was erased meanwhile is left out. */
export async function readHits(
  recall: RecallDriver,
  lineage: Lineage,
  collection: Collection,
  documents: readonly IndexedDocument[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, SearchHit>> {
  const found = new Map<number, SearchHit>();
  if (documents.length === 0) return found;
  if (collection === 'passages') {
    const ids = documents.map(({ ref }) => ref);
    const passages = await readPassages(recall, lineage, ids, signal);
    for (const { ordinal, ref } of documents) {
      const passage = passages.get(ref);
      if (passage) found.set(ordinal, passageHit(ref, passage));
    }
    return found;
  }
  const seqs = documents.map(({ seq }) => seq);
  const { items } = await recall.read(lineage, { seqs, limit: seqs.length }, signal);
  const bySeq = new Map(items.map((entry) => [entry.seq, entry]));
  for (const { ordinal, seq } of documents) {
    const entry = bySeq.get(seq);
    if (entry) found.set(ordinal, messageHit(entry));
  }
  return found;
}

export function messageHit({ seq, page, message }: LogEntry): SearchHit {
  const { id, role, name, at } = message;
  const text = messageText(message);
  return {
    handle: handleOf(seq),
    text,
    at,
    id,
    role,
    seq,
    page,
    ...(name !== undefined && { speaker: name }),
  };
}

function passageHit(id: string, { text, at, source }: PassageRecord): SearchHit {
  return { handle: `p${id}`, text, at, id, ...(source !== undefined && { source }) };
}
