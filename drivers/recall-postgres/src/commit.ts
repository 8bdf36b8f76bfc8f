import type { Collection, Commit, LogEntry, Put, SearchDocument } from '@pagefault/contracts';
import type { SqlValue } from '@pagefault/driver-kit';
import { conflict } from './errors.js';
import { toJson } from './json.js';

/** How collections are written in the large tables. */
export const COLLECTIONS: Readonly<Record<Collection, number>> = { messages: 0, passages: 1 };

/** The arguments of the `commit` function, in its order. */
export function commitValues(commit: Commit): SqlValue[] {
  checkRun(commit.appends ?? []);
  return [
    commit.pid,
    commit.fence ?? null,
    listOf(commit.expect, ({ space, key, version }) => ({ space, key, version })),
    listOf(commit.appends, append),
    listOf(mergePuts(commit.puts), (put) => put),
    listOf(commit.deletes, ({ space, key }) => ({ space, key })),
    listOf(commit.documents, document),
  ];
}

function checkRun(appends: readonly LogEntry[]): void {
  appends.forEach(({ seq }, i) => {
    const before = appends[i - 1]?.seq;
    if (before !== undefined && seq !== before + 1)
      throw conflict(`position ${seq} does not follow ${before}`);
  });
}

function listOf<T>(items: readonly T[] | undefined, encode: (item: T) => unknown): string | null {
  return items === undefined || items.length === 0 ? null : JSON.stringify(items.map(encode));
}

function append({ seq, page, message }: LogEntry): unknown {
  return { seq, page, id: message.id, at: message.at, message: toJson(`message ${message.id}`, message) };
}

interface MergedPut {
  readonly space: string;
  readonly key: string;
  readonly value: string;
  readonly due: number | null;
  /** How often the commit puts this row: so much its version rises. */
  readonly times: number;
}

/** One statement may touch a row only once, so that of several puts to one row the last is sent (B30). */
function mergePuts(puts: readonly Put[] | undefined): MergedPut[] {
  const merged = new Map<string, MergedPut>();
  for (const { space, key, value, dueAt } of puts ?? []) {
    const name = JSON.stringify([space, key]);
    merged.set(name, {
      space,
      key,
      value: toJson(`row ${space}/${key}`, value),
      due: dueAt ?? null,
      times: (merged.get(name)?.times ?? 0) + 1,
    });
  }
  return [...merged.values()];
}

function document({ collection, ...fields }: SearchDocument): unknown {
  return { ...fields, collection: COLLECTIONS[collection] };
}
