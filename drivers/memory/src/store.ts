import type {
  Collection,
  IndexedDocument,
  Instant,
  LogEntry,
  MessageId,
  Pid,
  Posting,
  Row,
  Seq,
  Space,
} from '@pagefault/contracts';

/** Everything that the driver holds. Outlives `close`, so that a test can play a restart. */
export interface Store {
  readonly processes: Map<Pid, ProcessStore>;
  /** The last fence given out. One counter for all, so that no fence comes twice even after an erasure. */
  lastFence: number;
}

/** What one process owns. */
export interface ProcessStore {
  readonly log: Log;
  readonly spaces: Map<Space, Map<string, Row>>;
  readonly texts: Map<Collection, TextIndex>;
  lease: HeldLease | undefined;
}

/** `entries[i]` is at position `first + i`; undefined where it was erased. */
export interface Log {
  /** 0 until something is stored. */
  first: Seq;
  readonly entries: (StoredEntry | undefined)[];
  readonly seqs: Map<MessageId, Seq>;
}

export interface StoredEntry {
  readonly entry: LogEntry;
  readonly bytes: number;
}

export interface TextIndex {
  readonly documents: Map<number, IndexedDocument>;
  /** By ordinal. */
  readonly postings: Map<string, Posting[]>;
}

export interface HeldLease {
  readonly owner: string;
  readonly fence: number;
  readonly expiresAt: Instant;
}

export function createStore(): Store {
  return { processes: new Map(), lastFence: 0 };
}

/** The process's store, made when it is not there yet. Only writers call this. */
export function processOf(store: Store, pid: Pid): ProcessStore {
  const known = store.processes.get(pid);
  if (known) return known;
  const fresh: ProcessStore = {
    log: { first: 0, entries: [], seqs: new Map() },
    spaces: new Map(),
    texts: new Map(),
    lease: undefined,
  };
  store.processes.set(pid, fresh);
  return fresh;
}

/** The entry at a position. */
export function entryAt(log: Log, seq: Seq): LogEntry | undefined {
  return log.entries[seq - log.first]?.entry;
}

/** The last position that was taken; undefined while the log is new. */
export function lastPosition({ first, entries }: Log): Seq | undefined {
  return entries.length === 0 ? undefined : first + entries.length - 1;
}
