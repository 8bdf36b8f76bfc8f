/** How the kernel's own rows are read: the spaces and shapes that drivers know nothing about. */
import type {
  Collection,
  IndexedDocument,
  Instant,
  Json,
  Lineage,
  OwnedRow,
  Pid,
  RecallDriver,
  Row,
  RowKey,
  Seq,
  Space,
} from '@pagefault/contracts';
import { hasCode, LATEST, PagefaultError } from '@pagefault/contracts';
import { PASSAGE_SPACE } from '../core/journal.js';
import { BLOCK_SPACE, residentSeqs, restoreState, STATE_SPACE } from '../core/records.js';
import type { ProcessState } from '../core/state.js';
import { ERASURE_SPACE, type ErasureJob, jobsOf, positionsOf } from './erasure/job.js';

const PROCESS_SPACE = 'process';
/** Rows of a process: one for each that was forked from it. */
export const CHILD_SPACE = 'children';
export const PROCESS_ROW: RowKey = { space: PROCESS_SPACE, key: 'process' };

/** Who a process is. Written when it is spawned; only the name may change. */
export interface ProcessRecord {
  readonly pid: Pid;
  readonly name: string;
  readonly createdAt: Instant;
  readonly instructions: string;
  /** IANA name of the user's time zone. Default `UTC`. */
  readonly zone?: string;
  /** Of a fork: where its history comes from, oldest first. */
  readonly ancestors?: Lineage;
}

export interface PassageRecord {
  readonly text: string;
  readonly at: Instant;
  readonly seq: Seq;
  readonly ordinal: number;
  readonly source?: string;
}

export function lineageOf({ pid, ancestors = [] }: Pick<ProcessRecord, 'pid' | 'ancestors'>): Lineage {
  return [...ancestors, { pid, upTo: LATEST }];
}

/** What a process wrote itself, without its ancestors. */
export function ownLineage(pid: Pid): Lineage {
  return lineageOf({ pid });
}

/** The most that `read` and `scan` give at once. */
export const SLICE = 1_000;

export interface StoredProcess {
  readonly state: ProcessState;
  /** Erasures that are not done yet. */
  readonly erasures: readonly ErasureJob[];
}

/** Of all processes, by pid and key. */
export async function* allRows(recall: RecallDriver, space: Space): AsyncGenerator<OwnedRow> {
  for (let after: string | undefined; ;) {
    const slice = await recall.scan(space, { limit: SLICE, ...(after !== undefined && { after }) });
    yield* slice.items;
    if (slice.cursor === undefined) return;
    after = slice.cursor;
  }
}

/** Undefined when it was never committed. */
export async function loadStored(
  recall: RecallDriver,
  record: Pick<ProcessRecord, 'pid' | 'ancestors'>,
  signal?: AbortSignal,
): Promise<StoredProcess | undefined> {
  const rows = await recall.load(record.pid, [STATE_SPACE, BLOCK_SPACE, ERASURE_SPACE], signal);
  if (!rows.some((row) => row.space === STATE_SPACE)) return undefined;
  const seqs = residentSeqs(rows);
  const entries = [];
  for (let from = 0; from < seqs.length; from += SLICE) {
    const part = seqs.slice(from, from + SLICE);
    const slice = await recall.read(lineageOf(record), { seqs: part, limit: SLICE }, signal);
    entries.push(...slice.items);
  }
  const erasures = jobsOf(rows);
  return { state: restoreState(rows, entries, positionsOf(erasures)), erasures };
}

/** To look at: a summary that an erasure is not through with is left out. */
export async function loadState(
  recall: RecallDriver,
  record: Pick<ProcessRecord, 'pid' | 'ancestors'>,
): Promise<ProcessState | undefined> {
  const stored = await loadStored(recall, record);
  if (!stored) return undefined;
  const { summary, ...rest } = stored.state;
  const isInDoubt = stored.erasures.some(({ plan, repaired }) => !repaired && plan?.remakesSummary !== false);
  return isInDoubt || !summary ? rest : stored.state;
}

export async function loadProcess(recall: RecallDriver, pid: Pid): Promise<ProcessRecord | undefined> {
  const [row] = await recall.get(pid, [PROCESS_ROW]);
  return row?.value as ProcessRecord | undefined;
}

/** Errors: `E_NOT_FOUND`. */
export async function renameProcess(recall: RecallDriver, pid: Pid, name: string): Promise<void> {
  for (;;) {
    const [row] = await recall.get(pid, [PROCESS_ROW]);
    if (!row) throw new PagefaultError('E_NOT_FOUND', `there is no process ${pid}`);
    const value: Json = { ...(row.value as { readonly [key: string]: Json }), name };
    try {
      const expect = [{ ...PROCESS_ROW, version: row.version }];
      return await recall.commit({ pid, expect, puts: [{ ...PROCESS_ROW, value }] });
    } catch (error) {
      if (!hasCode(error, 'E_CONFLICT')) throw error;
    }
  }
}

/** By ordinal, from `from` up to, not including, `end`. Erased ones leave gaps. */
export async function* documentsIn(
  recall: RecallDriver,
  lineage: Lineage,
  collection: Collection,
  from: number,
  end: number,
): AsyncGenerator<IndexedDocument> {
  for (let first = from; first < end; first += SLICE) {
    const ordinals = Array.from({ length: Math.min(SLICE, end - first) }, (_, index) => first + index);
    yield* await recall.documents(lineage, collection, ordinals);
  }
}

/** Passages of a lineage, by id; of two with one id the younger process's. */
export async function readPassages(
  recall: RecallDriver,
  lineage: Lineage,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, PassageRecord>> {
  const keys = ids.map((key) => ({ space: PASSAGE_SPACE, key }));
  const found = new Map<string, PassageRecord>();
  if (keys.length === 0) return found;
  for (const { pid, documents } of lineage) {
    for (const row of await recall.get(pid, keys, signal)) {
      const passage = asPassage(row);
      if (passage.ordinal < (documents?.passages ?? Infinity)) found.set(row.key, passage);
    }
  }
  return found;
}

function asPassage(row: Row): PassageRecord {
  const value = row.value as { readonly [key: string]: Json } | null;
  if (typeof value?.['text'] !== 'string') {
    throw new PagefaultError('E_STORAGE', `passage ${row.key} has no text`);
  }
  return value as unknown as PassageRecord;
}
