/** How the kernel's own rows are read: the spaces and shapes that drivers know nothing about. */
import type { Instant, Json, Lineage, Pid, RecallDriver, Row, Seq } from '@pagefault/contracts';
import { LATEST, PagefaultError } from '@pagefault/contracts';
import { PASSAGE_SPACE } from '../core/journal.js';
import { BLOCK_SPACE, residentSeqs, restoreState, STATE_SPACE } from '../core/records.js';
import type { ProcessState } from '../core/state.js';

export const PROCESS_SPACE = 'process';

/** Who a process is; written once, when it is spawned. */
export interface ProcessRecord {
  readonly pid: Pid;
  readonly name: string;
  readonly createdAt: Instant;
  readonly instructions: string;
}

export interface PassageRecord {
  readonly text: string;
  readonly at: Instant;
  readonly seq: Seq;
  readonly ordinal: number;
  readonly source?: string;
}

export function lineageOf(pid: Pid): Lineage {
  return [{ pid, upTo: LATEST }];
}

/** The most that `read` and `scan` give at once. */
export const SLICE = 1_000;

/** The state of a process, or undefined when it was never committed. */
export async function loadState(
  recall: RecallDriver,
  pid: Pid,
  signal?: AbortSignal,
): Promise<ProcessState | undefined> {
  const rows = await recall.load(pid, [STATE_SPACE, BLOCK_SPACE], signal);
  if (!rows.some((row) => row.space === STATE_SPACE)) return undefined;
  const seqs = residentSeqs(rows);
  const entries = [];
  for (let from = 0; from < seqs.length; from += SLICE) {
    const part = seqs.slice(from, from + SLICE);
    const slice = await recall.read(lineageOf(pid), { seqs: part, limit: SLICE }, signal);
    entries.push(...slice.items);
  }
  return restoreState(rows, entries);
}

export async function loadProcess(recall: RecallDriver, pid: Pid): Promise<ProcessRecord | undefined> {
  const [row] = await recall.get(pid, [{ space: PROCESS_SPACE, key: 'process' }]);
  return row?.value as ProcessRecord | undefined;
}

export async function listProcesses(recall: RecallDriver): Promise<ProcessRecord[]> {
  const records: ProcessRecord[] = [];
  for (let after: string | undefined; ;) {
    const slice = await recall.scan(PROCESS_SPACE, { limit: SLICE, ...(after !== undefined && { after }) });
    records.push(...slice.items.map((row) => row.value as unknown as ProcessRecord));
    if (slice.cursor === undefined) return records;
    after = slice.cursor;
  }
}

/** Passages by id, in the order asked. */
export async function readPassages(
  recall: RecallDriver,
  pid: Pid,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, PassageRecord>> {
  const keys = ids.map((key) => ({ space: PASSAGE_SPACE, key }));
  const rows = keys.length === 0 ? [] : await recall.get(pid, keys, signal);
  return new Map(rows.map((row) => [row.key, asPassage(row)]));
}

function asPassage(row: Row): PassageRecord {
  const value = row.value as { readonly [key: string]: Json } | null;
  if (typeof value?.['text'] !== 'string') {
    throw new PagefaultError('E_STORAGE', `passage ${row.key} has no text`);
  }
  return value as unknown as PassageRecord;
}
