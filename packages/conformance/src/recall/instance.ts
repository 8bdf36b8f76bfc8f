import {
  LATEST,
  type Lineage,
  type LogEntry,
  type Pid,
  type ReadQuery,
  type RecallDriver,
} from '@pagefault/contracts';
import type { ConformanceCase } from '../case.js';
import { allPages } from './pages.js';

export interface RecallInstance {
  readonly driver: RecallDriver;
  /** Moves the store's clock on, in milliseconds. Without it, the cases of expiry wait for a short lease. */
  advance?(by: number): Promise<void> | void;
}

export type RecallCase = ConformanceCase<RecallInstance>;

export const ADA: Pid = '01931c5e-8a00-7000-8000-00000000000a';
export const BOB: Pid = '01931c5e-8a00-7000-8000-00000000000b';
export const CYD: Pid = '01931c5e-8a00-7000-8000-00000000000c';

/** A usual point in time. */
export const NOON = Date.UTC(2026, 0, 15, 12);

/** A process that was never forked. */
export function alone(pid: Pid): Lineage {
  return [{ pid, upTo: LATEST }];
}

/** A user's message at a position; its clock runs one second a position. */
export function entry(seq: number, message: Partial<LogEntry['message']> = {}): LogEntry {
  const at = NOON + seq * 1000;
  return {
    seq,
    page: seq,
    message: { id: `m${seq}`, role: 'user', parts: [text(`line ${seq}`)], at, ...message },
  };
}

export function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}

/** Entries at `from` to `to`. */
export function entries(from: number, to: number): LogEntry[] {
  return Array.from({ length: to - from + 1 }, (_, i) => entry(from + i));
}

/** The whole of a query's answer, page by page. */
export async function readAll(driver: RecallDriver, lineage: Lineage, query: ReadQuery): Promise<LogEntry[]> {
  return allPages((cursor) =>
    driver.read(lineage, { ...query, ...(cursor === undefined ? {} : { cursor }) }),
  );
}

/** The positions of a process's whole log. */
export async function positions(driver: RecallDriver, pid: Pid): Promise<number[]> {
  return (await readAll(driver, alone(pid), { limit: 1000 })).map(({ seq }) => seq);
}

/** What a process holds, to show that a refused commit wrote nothing. */
export async function everything(driver: RecallDriver, pid: Pid): Promise<unknown> {
  const lineage = alone(pid);
  return {
    log: await readAll(driver, lineage, { limit: 1000 }),
    rows: await driver.load(pid, ['inbox', 'state']),
    documents: await driver.documents(lineage, 'messages', [0, 1, 2, 3, 4, 5, 6, 7]),
    postings: await driver.postings(lineage, 'messages', ['alpaca', 'cork']),
  };
}
