/**
 * Compares the archival index with recall, the row of truth, and brings it back to it (B37). Reads beside everything else
 * that goes on: what is written meanwhile may be told as waiting, never as lost.
 */
import type {
  ArchivalDriver,
  Collection,
  EmbedderDriver,
  Pid,
  RecallDriver,
  Row,
  Scope,
} from '@pagefault/contracts';
import { OUTBOX_SPACE, type OutboxEntry } from '../../core/journal.js';
import { listProcesses } from '../processes/listing.js';
import { documentsIn, ownLineage, SLICE } from '../storage.js';
import { ownRange } from './catch-up.js';
import { DEAD_LETTER_SPACE, deadLetterRow, entryOf, outboxPut, outboxRow } from './outbox-rows.js';
import { knownScopes, scopeOf } from './scopes.js';

export interface IndexStores {
  readonly recall: RecallDriver;
  readonly archival: ArchivalDriver;
  readonly embedder: EmbedderDriver;
}

/** What one process's part of the index is like. Counts of texts, but for `ghosts`, which are vectors. */
export interface ProcessIndex {
  readonly pid: Pid;
  /** Messages and passages that the process wrote itself, as far as they have words. */
  readonly texts: number;
  /** Wait in the outbox for their vector. */
  readonly waiting: number;
  /** Were refused by the embedder or by the index. */
  readonly dead: number;
  /** Have no vector, and nothing is under way. */
  readonly missing: number;
  /** Have none because another embedder, or none, was in use; they get one as soon as the process is attached. */
  readonly unindexed: number;
  /** Vectors whose text is gone. */
  readonly ghosts: number;
  /** Parts of the index that former embedders filled. They are kept: whoever changes back needs them. */
  readonly former: readonly FormerScope[];
}

export interface FormerScope {
  readonly scope: Scope;
  readonly vectors: number;
}

/** What was found of one process, and what is to be done about it. */
export interface Drift {
  readonly index: ProcessIndex;
  /** In parts that were begun; the others are begun as a whole. */
  readonly missing: readonly OutboxEntry[];
  readonly dead: readonly OutboxEntry[];
  readonly ghosts: readonly { readonly scope: Scope; readonly ids: readonly string[] }[];
}

const COLLECTIONS: readonly Collection[] = ['messages', 'passages'];

export async function findDrift(stores: IndexStores, pid: Pid, signal?: AbortSignal): Promise<Drift> {
  const known = await knownScopes(stores.recall, pid);
  const parts: Part[] = [];
  for (const collection of COLLECTIONS) parts.push(await partOf(stores, pid, collection, known, signal));
  const current = new Set(COLLECTIONS.map((collection) => scopeOf(collection, pid, stores.embedder)));
  const former: FormerScope[] = [];
  for (const scope of known.filter((one) => !current.has(one)))
    former.push({ scope, vectors: await stores.archival.count(scope, signal) });
  const sum = (count: (part: Part) => number) => parts.reduce((total, part) => total + count(part), 0);
  return {
    index: {
      pid,
      texts: sum(({ texts }) => texts),
      waiting: sum(({ waiting }) => waiting),
      dead: sum(({ dead }) => dead.length),
      missing: sum(({ missing, isKnown }) => (isKnown ? missing.length : 0)),
      unindexed: sum(({ missing, isKnown }) => (isKnown ? 0 : missing.length)),
      ghosts: sum(({ ghosts }) => ghosts.length),
      former,
    },
    missing: parts.flatMap(({ missing, isKnown }) => (isKnown ? missing : [])),
    dead: parts.flatMap(({ dead }) => dead),
    ghosts: parts.flatMap(({ scope, ghosts }) => (ghosts.length > 0 ? [{ scope, ids: ghosts }] : [])),
  };
}

/** Of all processes, one after the other. Changes nothing. */
export async function* checkIndexes(stores: IndexStores, signal?: AbortSignal): AsyncGenerator<ProcessIndex> {
  for (const { pid } of await listProcesses(stores.recall))
    yield (await findDrift(stores, pid, signal)).index;
}

/** Resolves when the outbox is asked for what is missing, and the ghosts are gone. Idempotent. */
export async function repairDrift(
  { recall, archival }: IndexStores,
  { index: { pid }, missing, dead, ghosts }: Drift,
  signal?: AbortSignal,
): Promise<void> {
  for (const { scope, ids } of ghosts)
    for (const some of slices(ids)) await archival.remove(scope, some, signal);
  for (const some of slices([...missing, ...dead])) {
    await recall.commit({ pid, puts: some.map(outboxPut), deletes: some.map(deadLetterRow) }, signal);
  }
}

interface Part {
  readonly scope: Scope;
  /** Whether the part of the index was ever begun. */
  readonly isKnown: boolean;
  readonly texts: number;
  readonly waiting: number;
  readonly missing: readonly OutboxEntry[];
  readonly dead: readonly OutboxEntry[];
  readonly ghosts: readonly string[];
}

/**
 * In this order, each after the other: the texts, the vectors, the outbox. A text without a vector whose row left the
 * outbox in between is told as missing, and embedded once more: that is harmless, to overlook one is not.
 */
async function partOf(
  stores: IndexStores,
  pid: Pid,
  collection: Collection,
  known: readonly Scope[],
  signal: AbortSignal | undefined,
): Promise<Part> {
  const scope = scopeOf(collection, pid, stores.embedder);
  const written = await writtenTexts(stores.recall, pid, collection);
  const listed = await listedIds(stores.archival, scope, signal);
  const rows = await stores.recall.load(pid, [OUTBOX_SPACE, DEAD_LETTER_SPACE], signal);
  const [waiting, buried] = [OUTBOX_SPACE, DEAD_LETTER_SPACE].map((space) => keysIn(rows, space));
  const without = [...written.values()].filter(({ ordinal }) => !listed.has(String(ordinal)));
  const dead = without.filter((entry) => buried?.has(outboxRow(entry).key));
  const missing = without.filter(
    (entry) => ![waiting, buried].some((keys) => keys?.has(outboxRow(entry).key)),
  );
  const ghosts = [...listed].filter((id) => !written.has(Number(id)));
  return {
    scope,
    isKnown: known.includes(scope),
    texts: written.size,
    waiting: [...written.values()].filter((entry) => waiting?.has(outboxRow(entry).key)).length,
    missing,
    dead,
    ghosts: await stillGone(stores.recall, pid, collection, ghosts),
  };
}

function keysIn(rows: readonly Row[], space: string): ReadonlySet<string> {
  return new Set(rows.filter((row) => row.space === space).map(({ key }) => key));
}

async function writtenTexts(
  recall: RecallDriver,
  pid: Pid,
  collection: Collection,
): Promise<ReadonlyMap<number, OutboxEntry>> {
  const { from, end } = await ownRange(recall, pid, collection);
  const written = new Map<number, OutboxEntry>();
  for await (const document of documentsIn(recall, ownLineage(pid), collection, from, end))
    written.set(document.ordinal, entryOf(collection, document));
  return written;
}

async function listedIds(
  archival: ArchivalDriver,
  scope: Scope,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let after: string | undefined;
  do {
    const slice = await archival.list(scope, { limit: SLICE, ...(after !== undefined && { after }) }, signal);
    for (const id of slice.items) ids.add(id);
    after = slice.cursor;
  } while (after !== undefined);
  return ids;
}

/** Vectors are stored after their texts: one that was written since the texts were read has one now. */
async function stillGone(
  recall: RecallDriver,
  pid: Pid,
  collection: Collection,
  ids: readonly string[],
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const some of slices(ids)) {
    const documents = await recall.documents(ownLineage(pid), collection, some.map(Number));
    const there = new Set(documents.map(({ ordinal }) => String(ordinal)));
    gone.push(...some.filter((id) => !there.has(id)));
  }
  return gone;
}

function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += SLICE) yield items.slice(from, from + SLICE);
}
