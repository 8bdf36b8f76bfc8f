/**
 * Copies what one process owns from a store to another. Each step first looks at what is there, so that it can be cut off
 * anywhere and begun again: what is there stays, what is missing comes, what the source no longer has goes.
 */
import type {
  Collection,
  IndexedDocument,
  LogEntry,
  Pid,
  RecallDriver,
  Row,
  SearchDocument,
  Seq,
} from '@pagefault/contracts';
import { searchableText } from '../../core/documents.js';
import { documentTerms } from '../../core/search/index.js';
import { ownRange } from '../search/catch-up.js';
import { ownLineage, readPassages, SLICE } from '../storage.js';
import { COLLECTIONS, documentsOf, logFrom, memoryRows } from './entries.js';

export interface Stores {
  readonly from: RecallDriver;
  readonly to: RecallDriver;
}

export interface Owner {
  readonly pid: Pid;
  /** The user's time zone: days are searched for in it. */
  readonly zone?: string;
}

/** Rows last: by the state among them the process's documents are counted. */
export async function copyOwned(stores: Stores, owner: Owner, signal?: AbortSignal): Promise<void> {
  await copyLog(stores, owner.pid, signal);
  for (const collection of COLLECTIONS) await copyDocuments(stores, owner, collection, signal);
  await eraseSurplus(stores, owner.pid, signal);
  await copyRows(stores, owner.pid, signal);
}

async function copyLog({ from, to }: Stores, pid: Pid, signal: AbortSignal | undefined): Promise<void> {
  const there = (await to.stats(ownLineage(pid))).lastSeq;
  const { lastSeq } = await from.stats(ownLineage(pid));
  for await (const appends of batches(withoutGaps(logFrom(from, pid, there + 1), there, lastSeq)))
    await to.commit({ pid, appends }, signal);
}

/**
 * Positions are taken in order, so a gap that an erasure left is filled, and erased again. None before the first entry of
 * a new log: that of a fork begins where its parent was cut.
 */
async function* withoutGaps(
  entries: AsyncIterable<LogEntry>,
  taken: Seq,
  last: Seq,
): AsyncGenerator<LogEntry> {
  let before = taken;
  for await (const entry of entries) {
    if (before > 0) yield* fillers(before + 1, entry.seq - 1);
    yield entry;
    before = entry.seq;
  }
  if (before > 0) yield* fillers(before + 1, last);
}

function* fillers(from: Seq, to: Seq): Generator<LogEntry> {
  for (let seq = from; seq <= to; seq++) yield filler(seq);
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < SLICE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function filler(seq: Seq): LogEntry {
  const parts = [{ type: 'text', text: '-' }] as const;
  return { seq, page: 0, message: { id: `filler-${seq}`, role: 'system', at: 0, parts } };
}

/** Their terms are made again from the texts: no store hands them out by document. */
async function copyDocuments(
  { from, to }: Stores,
  owner: Owner,
  collection: Collection,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { pid } = owner;
  const range = await ownRange(from, pid, collection);
  for await (const batch of batches(documentsOf(from, pid, collection, range))) {
    const ordinals = batch.map(({ ordinal }) => ordinal);
    const there = await to.documents(ownLineage(pid), collection, ordinals);
    const known = new Set(there.map(({ ordinal }) => ordinal));
    const missing = batch.filter(({ ordinal }) => !known.has(ordinal));
    if (missing.length > 0)
      await to.commit({ pid, documents: await withTerms(from, owner, collection, missing) }, signal);
  }
}

async function withTerms(
  from: RecallDriver,
  { pid, zone }: Owner,
  collection: Collection,
  documents: readonly IndexedDocument[],
): Promise<SearchDocument[]> {
  if (collection === 'messages') {
    const texts = await messageTextsAt(from, pid, documents.map(({ seq }) => seq)); // prettier-ignore
    return documents.map((one) => ({
      ...one,
      collection,
      terms: documentTerms(texts.get(one.seq) ?? '', one.at, zone).terms,
    }));
  }
  const passages = await readPassages(from, ownLineage(pid), documents.map(({ ref }) => ref)); // prettier-ignore
  return documents.map((one) => ({
    ...one,
    collection,
    terms: documentTerms(passages.get(one.ref)?.text ?? '').terms,
  }));
}

async function messageTextsAt(
  from: RecallDriver,
  pid: Pid,
  seqs: readonly Seq[],
): Promise<ReadonlyMap<Seq, string>> {
  const { items } = await from.read(ownLineage(pid), { seqs, limit: seqs.length });
  return new Map(items.map(({ seq, message }) => [seq, searchableText(message)]));
}

/** What the source does not have: fillers, and what was erased there since. */
async function eraseSurplus({ from, to }: Stores, pid: Pid, signal: AbortSignal | undefined): Promise<void> {
  const kept = new Set<Seq>();
  for await (const { seq } of logFrom(from, pid)) kept.add(seq);
  const seqs: Seq[] = [];
  for await (const { seq } of logFrom(to, pid)) if (!kept.has(seq)) seqs.push(seq);
  const range = await ownRange(from, pid, 'passages');
  const ordinals = async (recall: RecallDriver) => {
    const found: number[] = [];
    for await (const { ordinal } of documentsOf(recall, pid, 'passages', range)) found.push(ordinal);
    return found;
  };
  const there = new Set(await ordinals(from));
  const passages = (await ordinals(to)).filter((ordinal) => !there.has(ordinal));
  if (seqs.length + passages.length > 0) await to.erase({ pid, seqs, passages }, signal);
}

async function copyRows({ from, to }: Stores, pid: Pid, signal: AbortSignal | undefined): Promise<void> {
  const [wanted, found] = [await memoryRows(from, pid), await memoryRows(to, pid)];
  const there = new Map(found.map((row) => [placeOf(row), row]));
  const puts = wanted.filter((row) => !isSame(row, there.get(placeOf(row))));
  const kept = new Set(wanted.map(placeOf));
  const deletes = found.filter((row) => !kept.has(placeOf(row)));
  for (let first = 0; first < Math.max(puts.length, deletes.length); first += SLICE) {
    const some = puts.slice(first, first + SLICE).map(({ version: _, ...put }) => put);
    await to.commit({ pid, puts: some, deletes: deletes.slice(first, first + SLICE) }, signal);
  }
}

function placeOf({ space, key }: Row): string {
  return `${space}/${key}`;
}

function isSame(row: Row, other: Row | undefined): boolean {
  return row.dueAt === other?.dueAt && JSON.stringify(row.value) === JSON.stringify(other?.value);
}
