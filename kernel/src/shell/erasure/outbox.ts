import type { Put, RowKey } from '@pagefault/contracts';
import { OUTBOX_SPACE, type OutboxEntry, outboxKey } from '../../core/journal.js';

/** Rows of texts: whoever drains the outbox removes the vector of one that is gone, and makes another's again. */
export function removals(indexed: readonly OutboxEntry[]): readonly Put[] {
  return indexed.map((entry) => ({ ...outboxRow(entry), value: { ...entry } }));
}

export function outboxRow({ collection, ordinal }: OutboxEntry): RowKey {
  return { space: OUTBOX_SPACE, key: outboxKey(collection, ordinal) };
}
