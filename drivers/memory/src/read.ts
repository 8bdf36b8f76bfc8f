import type { Lineage, LogEntry, LogStats, ReadQuery, Seq, Slice } from '@pagefault/contracts';
import { parseCursor } from '@pagefault/driver-kit';
import { NAME } from './errors.js';
import { entryAt, lastPosition, type Log, type Store } from './store.js';

/** The cursor is the position of the last entry given: appends between two pages disturb nothing. */
export function readLog(store: Store, lineage: Lineage, query: ReadQuery): Slice<LogEntry> {
  const isDescending = query.order === 'descending';
  const window = windowOf(query, isDescending);
  const parts = lineage.flatMap(({ pid, upTo }) => {
    const log = store.processes.get(pid)?.log;
    return log ? [{ log, from: window.from, to: Math.min(window.to, upTo) }] : [];
  });
  if (isDescending) parts.reverse();
  const items: LogEntry[] = [];
  for (const part of parts) {
    for (const entry of candidates(part, query, isDescending)) {
      if (!isInTime(entry, query)) continue;
      if (items.length === query.limit) return { items, cursor: `[${items.at(-1)?.seq}]` };
      items.push(entry);
    }
  }
  return { items };
}

interface Window {
  readonly from: Seq;
  readonly to: Seq;
}

function windowOf(query: ReadQuery, isDescending: boolean): Window {
  const from = query.from ?? 1;
  const to = query.to ?? Number.MAX_SAFE_INTEGER;
  if (query.cursor === undefined) return { from, to };
  const [last] = parseCursor(NAME, query.cursor, ['number']) as [number];
  return isDescending ? { from, to: Math.min(to, last - 1) } : { from: Math.max(from, last + 1), to };
}

function* candidates(
  part: Window & { log: Log },
  query: ReadQuery,
  isDescending: boolean,
): Generator<LogEntry> {
  const named = namedSeqs(part.log, query);
  if (named) {
    const within = named.filter((seq) => seq >= part.from && seq <= part.to);
    within.sort((a, b) => (isDescending ? b - a : a - b));
    for (const seq of within) yield* present(entryAt(part.log, seq));
    return;
  }
  const from = Math.max(part.from, part.log.first);
  const to = Math.min(part.to, lastPosition(part.log) ?? -1);
  const count = to - from + 1;
  for (let i = 0; i < count; i += 1) yield* present(entryAt(part.log, isDescending ? to - i : from + i));
}

/** The positions that the query names by `seqs` or `ids`, each once; undefined when it names none. */
function namedSeqs(log: Log, { seqs, ids }: ReadQuery): Seq[] | undefined {
  if (!ids) return seqs && [...new Set(seqs)];
  const named = new Set(ids.flatMap((id) => log.seqs.get(id) ?? []));
  return seqs ? [...new Set(seqs)].filter((seq) => named.has(seq)) : [...named];
}

function present(entry: LogEntry | undefined): readonly LogEntry[] {
  return entry ? [entry] : [];
}

function isInTime({ message }: LogEntry, { since, until }: ReadQuery): boolean {
  return (since === undefined || message.at >= since) && (until === undefined || message.at < until);
}

export function logStats(store: Store, lineage: Lineage): LogStats {
  const total = { messages: 0, lastSeq: 0, bytes: 0 };
  for (const { pid, upTo } of lineage) {
    const log = store.processes.get(pid)?.log;
    const last = Math.min(upTo, (log && lastPosition(log)) ?? 0);
    if (!log || last < log.first) continue;
    total.lastSeq = Math.max(total.lastSeq, last);
    for (const stored of log.entries.slice(0, last - log.first + 1)) {
      if (!stored) continue;
      total.messages += 1;
      total.bytes += stored.bytes;
    }
  }
  return total;
}
