/**
 * A recall that reads from another and keeps its own writes to itself: a turn on it leaves no trace. For `ask --discard`.
 * It lives for one turn of one process, so lists are enough.
 */
import type { LogEntry, Pid, RecallDriver, Row } from '@pagefault/contracts';

export function overlay(base: RecallDriver): RecallDriver {
  const entries: LogEntry[] = [];
  const rows = new Map<string, Row | undefined>();
  const at = (pid: Pid, space: string, key: string) => `${pid}\n${space}\n${key}`;
  return {
    ...base,
    name: `${base.name} (overlay)`,
    open: async () => undefined,
    close: async () => undefined,
    acquireLease: async () => undefined,
    releaseLease: async () => undefined,
    commit: async ({ pid, appends = [], puts = [], deletes = [] }) => {
      entries.push(...appends);
      for (const { space, key } of deletes) rows.set(at(pid, space, key), undefined);
      for (const { space, key, value } of puts)
        rows.set(at(pid, space, key), { space, key, value, version: 1 });
    },
    read: async (lineage, query, signal) => {
      const below = await base.read(lineage, query, signal);
      const own = entries.filter(
        ({ seq, message }) => query.seqs?.includes(seq) ?? query.ids?.includes(message.id) ?? false,
      );
      return { ...below, items: [...below.items, ...own] };
    },
    load: async (pid, spaces, signal) => {
      const below = await base.load(pid, spaces, signal);
      const kept = below.filter(({ space, key }) => !rows.has(at(pid, space, key)));
      const own = [...rows].flatMap(([id, row]) =>
        row && id === at(pid, row.space, row.key) && spaces.includes(row.space) ? [row] : [],
      );
      return [...kept, ...own].toSorted((a, b) => order(spaces, a, b));
    },
    get: async (pid, keys, signal) => {
      const below = await base.get(pid, keys, signal);
      return keys.flatMap(({ space, key }) => {
        const id = at(pid, space, key);
        const row = rows.has(id)
          ? rows.get(id)
          : below.find((found) => found.space === space && found.key === key);
        return row ? [row] : [];
      });
    },
  };
}

/** As drivers order rows: by space as asked, then by key. */
function order(spaces: readonly string[], a: Row, b: Row): number {
  return spaces.indexOf(a.space) - spaces.indexOf(b.space) || (a.key < b.key ? -1 : 1);
}
