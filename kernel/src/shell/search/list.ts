/** What there is in a range of time, oldest first. */
import type { IndexedDocument, LogEntry, ReadQuery, Seq } from '@pagefault/contracts';
import type { ListCursor } from '../../core/search-cursor.js';
import type { SearchHit } from '../../core/search-results.js';
import { isListed } from '../../core/documents.js';
import { type Ask, fetchDocuments, type SearchStack } from './arms.js';
import { messageHit, readHits } from './hits.js';
import { SLICE } from '../storage.js';

export type Listing = Omit<Ask, 'query' | 'asked'>;

export interface ListPage {
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** The positions of the last one of the page and of the last one of the list. */
  readonly after: Seq;
  readonly through: Seq;
}

/** The results from number `skip` on, `size` of them. */
export function listFrom(
  stack: SearchStack,
  listing: Listing,
  skip: number,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage> {
  return listing.collection === 'messages'
    ? listMessages(stack, listing, skip, size, signal)
    : listPassages(stack, listing, skip, size, signal);
}

/** The results after those that a cursor has shown. */
export async function listAfter(
  stack: SearchStack,
  listing: Listing,
  { after, through, total }: ListCursor,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage> {
  if (listing.collection === 'passages') {
    const documents = (await passagesOf(stack, listing, after + 1, through + 1, signal)).slice(0, size);
    return passagePage(stack, listing, documents, { total, through, after }, signal);
  }
  const found: LogEntry[] = [];
  for await (const entry of entriesOf(stack, listing, { from: after + 1, to: through }, signal)) {
    found.push(entry);
    if (found.length === size) break;
  }
  return { total, hits: found.map(messageHit), after: found.at(-1)?.seq ?? after, through };
}

async function listMessages(
  stack: SearchStack,
  listing: Listing,
  skip: number,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage> {
  const to = Math.min(listing.before - 1, listing.head.lastSeq);
  const shown: LogEntry[] = [];
  let [total, through] = [0, 0];
  for await (const entry of entriesOf(stack, listing, { from: 1, to }, signal)) {
    if (total >= skip && shown.length < size) shown.push(entry);
    total++;
    through = entry.seq;
  }
  return { total, hits: shown.map(messageHit), after: shown.at(-1)?.seq ?? through, through };
}

async function* entriesOf(
  { recall }: SearchStack,
  { lineage, since, until }: Listing,
  positions: Required<Pick<ReadQuery, 'from' | 'to'>>,
  signal?: AbortSignal,
): AsyncGenerator<LogEntry> {
  if (positions.from > positions.to) return;
  const range = { ...(since !== -Infinity && { since }), ...(until !== Infinity && { until }) };
  for (let cursor: string | undefined; ;) {
    const query = { ...positions, ...range, limit: SLICE, ...(cursor !== undefined && { cursor }) };
    const slice = await recall.read(lineage, query, signal);
    for (const entry of slice.items) if (isListed(entry.message)) yield entry;
    if (slice.cursor === undefined) return;
    cursor = slice.cursor;
  }
}

async function listPassages(
  stack: SearchStack,
  listing: Listing,
  skip: number,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage> {
  const end = listing.head.collections.passages.documents;
  const all = await passagesOf(stack, listing, 0, end, signal);
  const through = all.at(-1)?.ordinal ?? 0;
  const positions = { total: all.length, through, after: through };
  return passagePage(stack, listing, all.slice(skip, skip + size), positions, signal);
}

async function passagePage(
  { recall }: SearchStack,
  { lineage }: Listing,
  documents: readonly IndexedDocument[],
  { total, through, after }: Pick<ListPage, 'total' | 'through' | 'after'>,
  signal?: AbortSignal,
): Promise<ListPage> {
  const found = await readHits(recall, lineage, 'passages', documents, signal);
  const hits = documents.flatMap(({ ordinal }) => found.get(ordinal) ?? []);
  return { total, hits, after: documents.at(-1)?.ordinal ?? after, through };
}

/** Documents of passages, by ordinal. */
async function passagesOf(
  { recall }: SearchStack,
  listing: Listing,
  from: number,
  end: number,
  signal?: AbortSignal,
): Promise<IndexedDocument[]> {
  const documents: IndexedDocument[] = [];
  for (let start = from; start < end; start += SLICE) {
    const ordinals = Array.from({ length: Math.min(SLICE, end - start) }, (_, i) => start + i);
    documents.push(...(await fetchDocuments(recall, listing, ordinals, signal)));
  }
  return documents.filter(({ at }) => at >= listing.since && at < listing.until);
}
