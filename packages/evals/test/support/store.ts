/** Looks into an embedded store by the driver alone, with no kernel between. */
import { type Json, LATEST, type LogEntry, type RecallDriver, type Row } from '@pagefault/contracts';
import { createPgliteSql } from '@pagefault/driver-pglite';
import { createPostgresRecall } from '@pagefault/driver-recall-postgres';

export async function withStore<T>(dataDir: string, work: (recall: RecallDriver) => Promise<T>): Promise<T> {
  const sql = createPgliteSql({ dataDir, fsync: false });
  const recall = createPostgresRecall({ sql });
  try {
    await recall.open();
    return await work(recall);
  } finally {
    await recall.close();
    await sql.close();
  }
}

/** Everything that one process wrote, by position. */
export async function wholeLog(recall: RecallDriver, pid: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 1_000, ...(cursor !== undefined && { cursor }) };
    const slice = await recall.read([{ pid, upTo: LATEST }], query);
    entries.push(...slice.items);
    if (slice.cursor === undefined) return entries;
    cursor = slice.cursor;
  }
}

export async function rowsOf(recall: RecallDriver, pid: string, space: string): Promise<readonly Row[]> {
  return recall.load(pid, [space]);
}

/** The pid of the only process of that name; undefined before it was stored. */
export async function pidOf(recall: RecallDriver, name: string): Promise<string | undefined> {
  const { items } = await recall.scan('process', { limit: 1_000 });
  return items.find(({ value }) => (value as Record<string, Json>)['name'] === name)?.pid;
}

export function textOf({ message }: LogEntry): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
