/** What a process owns in a store, and how two stores that hold it are compared. */
import { createHash, type Hash } from 'node:crypto';
import type {
  Collection,
  IndexedDocument,
  Json,
  LogEntry,
  Pid,
  RecallDriver,
  Row,
  Seq,
} from '@pagefault/contracts';
import { ownRange } from '../search/catch-up.js';
import { MEMORY_SPACES } from '../spaces.js';
import { documentsIn, ownLineage, SLICE } from '../storage.js';

export const COLLECTIONS: readonly Collection[] = ['messages', 'passages'];

/** How much a process owns, and a checksum over all of it: the same in every store that holds the same. */
export interface Inventory {
  readonly messages: number;
  readonly passages: number;
  readonly rows: number;
  /** SHA-256, hexadecimal. */
  readonly checksum: string;
}

/** Its own log, from a position on. */
export async function* logFrom(recall: RecallDriver, pid: Pid, from: Seq = 1): AsyncGenerator<LogEntry> {
  for (let cursor: string | undefined; ;) {
    const query = { from, limit: SLICE, ...(cursor !== undefined && { cursor }) };
    const slice = await recall.read(ownLineage(pid), query);
    yield* slice.items;
    if (slice.cursor === undefined) return;
    cursor = slice.cursor;
  }
}

/** Its own documents. */
export async function* documentsOf(
  recall: RecallDriver,
  pid: Pid,
  collection: Collection,
  { from, end }: { readonly from: number; readonly end: number },
): AsyncGenerator<IndexedDocument> {
  yield* documentsIn(recall, ownLineage(pid), collection, from, end);
}

export function memoryRows(recall: RecallDriver, pid: Pid): Promise<readonly Row[]> {
  return recall.load(pid, MEMORY_SPACES);
}

/** Versions of rows are counts of the store's own, and no part of what is owned. */
export async function takeInventory(recall: RecallDriver, pid: Pid): Promise<Inventory> {
  const hash = createHash('sha256');
  let messages = 0;
  for await (const { seq, page, message } of logFrom(recall, pid)) {
    add(hash, [seq, page, message as unknown as Json]);
    messages += 1;
  }
  const counts = { messages: 0, passages: 0 };
  for (const collection of COLLECTIONS) {
    const range = await ownRange(recall, pid, collection);
    for await (const document of documentsOf(recall, pid, collection, range)) {
      add(hash, [collection, document as unknown as Json]);
      counts[collection] += 1;
    }
  }
  const rows = await memoryRows(recall, pid);
  for (const { space, key, value, dueAt = null } of rows) add(hash, [space, key, value, dueAt]);
  return { messages, passages: counts.passages, rows: rows.length, checksum: hash.digest('hex') };
}

function add(hash: Hash, value: Json): void {
  hash.update(`${JSON.stringify(sorted(value))}\n`);
}

/** Stores may keep the members of an object in an order of their own. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]),
  );
}
