/** Rows of the outbox, and of what was given up. */
import type {
  ErrorCode,
  IndexedDocument,
  Instant,
  Collection,
  Json,
  Put,
  RowKey,
} from '@pagefault/contracts';
import { OUTBOX_SPACE, type OutboxEntry, outboxKey } from '../../core/journal.js';

/** Texts that the embedder or the index refuses: found by text alone, until they are put into the outbox again. */
export const DEAD_LETTER_SPACE = 'dead-letters';

/** Without the text and without the message of the error, which may quote it. */
export interface DeadLetter extends OutboxEntry {
  readonly code: ErrorCode;
  readonly buriedAt: Instant;
}

/** Which kernel is at it, on a store that several share. It counts no longer after `until`. */
export interface Claim {
  readonly by: string;
  readonly until: Instant;
}

export interface WaitingEntry extends OutboxEntry {
  readonly claim?: Claim;
}

export function outboxRow({ collection, ordinal }: Pick<OutboxEntry, 'collection' | 'ordinal'>): RowKey {
  return { space: OUTBOX_SPACE, key: outboxKey(collection, ordinal) };
}

export function deadLetterRow({ collection, ordinal }: Pick<OutboxEntry, 'collection' | 'ordinal'>): RowKey {
  return { space: DEAD_LETTER_SPACE, key: outboxKey(collection, ordinal) };
}

/** The text wants a vector: whoever drains the outbox makes it, or removes it when the text is gone. */
export function outboxPut(entry: WaitingEntry): Put {
  return { ...outboxRow(entry), value: { ...entry } as unknown as Json };
}

export function deadLetterPut(letter: DeadLetter): Put {
  return { ...deadLetterRow(letter), value: { ...letter } };
}

export function entryOf(collection: Collection, { ordinal, ref, seq, at }: IndexedDocument): OutboxEntry {
  return { collection, ordinal, ref, seq, at };
}
