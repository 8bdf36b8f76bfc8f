import type { DriverHead, Slice } from './driver.js';
import type { Instant, Json, MessageId, Milliseconds, PageId, Pid, Seq } from './ids.js';
import type { Message } from './message.js';

/**
 * Recall storage: an ordered log for each process, plus keyed rows. It is the row of truth for
 * everything; an archival index can be made again from it.
 *
 * A driver knows nothing of inboxes, timers or blocks: those are spaces that the kernel defines.
 */
export interface RecallDriver extends DriverHead<'recall', RecallManifest> {
  /**
   * All of it or nothing, durable when it resolves.
   * Errors: `E_LEASE_LOST` (the fence is not the lease's; looked at first), `E_CONFLICT` (an expectation does
   * not hold, or a position, message id or document's ordinal is taken), `E_STORAGE`.
   */
  commit(commit: Commit, signal?: AbortSignal): Promise<void>;

  /** All rows of one process in the given spaces, by space in the order asked, then by key (code units). */
  load(pid: Pid, spaces: readonly Space[], signal?: AbortSignal): Promise<readonly Row[]>;

  /** The rows with these keys, in the order asked; those that do not exist are left out. */
  get(pid: Pid, keys: readonly RowKey[], signal?: AbortSignal): Promise<readonly Row[]>;

  /** Log entries of a lineage. */
  read(lineage: Lineage, query: ReadQuery, signal?: AbortSignal): Promise<Slice<LogEntry>>;

  /** Rows of one space over all processes, by pid and key; with `dueBefore`, only due ones, by `dueAt` first. */
  scan(space: Space, query: ScanQuery, signal?: AbortSignal): Promise<Slice<OwnedRow>>;

  /** Where the terms occur in the documents of a lineage: by term in the order asked, then by ordinal. */
  postings(
    lineage: Lineage,
    collection: Collection,
    terms: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Posting[]>;

  /** The documents at these ordinals, by ordinal; those that do not exist are left out. */
  documents(
    lineage: Lineage,
    collection: Collection,
    ordinals: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly IndexedDocument[]>;

  /** Counts of what a lineage holds. May cost a scan: for people, not for the turn. */
  stats(lineage: Lineage, signal?: AbortSignal): Promise<LogStats>;

  /**
   * Forgets a whole process, or single messages and passages of it. Atomic, durable when it resolves, and no error when
   * nothing of it is there. Resolves to the number of log entries erased.
   * Errors: `E_LEASE_LOST` (the fence is not the lease's), `E_STORAGE`.
   */
  erase(scope: EraseScope, signal?: AbortSignal): Promise<number>;

  /**
   * Takes the lease of a process for `ttl` on the store's clock, or renews it when `owner` holds it already.
   * Each change of owner raises the fence. Resolves to undefined while another owner's lease is valid.
   */
  acquireLease(pid: Pid, owner: string, ttl: Milliseconds, signal?: AbortSignal): Promise<Lease | undefined>;

  /** Gives the lease back; a no-op when `owner` does not hold it. */
  releaseLease(pid: Pid, owner: string): Promise<void>;
}

export interface RecallManifest {
  /** True when other operating-system processes may use the same store at the same time. */
  readonly shared: boolean;
  /** False when everything is lost with the operating-system process. */
  readonly durable: boolean;
}

/** A set of rows that the kernel defines, for example `inbox`. Lower-case letters and hyphens. */
export type Space = string;

/** What can be searched by text: messages of the log, and passages of archival storage. */
export type Collection = 'messages' | 'passages';

/** Where a process's history comes from: ancestors first, the process itself last. */
export type Lineage = readonly LineagePart[];

/** Of one process, what counts: messages with `seq <= upTo`; the process's own `upTo` is `LATEST`. */
export interface LineagePart {
  readonly pid: Pid;
  readonly upTo: Seq;
  /**
   * Of each collection, documents with an ordinal below this count. Needed beside `upTo`, for passages come between
   * two messages. Left out: only `upTo` cuts.
   */
  readonly documents?: Readonly<Record<Collection, number>>;
}

/** The `upTo` of a process's own part of its lineage. */
export const LATEST: Seq = Number.MAX_SAFE_INTEGER;

export interface LogEntry {
  readonly seq: Seq;
  readonly page: PageId;
  readonly message: Message;
}

export interface Row {
  readonly space: Space;
  /** At most 512 bytes of UTF-8. */
  readonly key: string;
  readonly value: Json;
  /** 1 when the row is new, one more at each put. */
  readonly version: number;
  readonly dueAt?: Instant;
}

export interface OwnedRow extends Row {
  readonly pid: Pid;
}

export interface Commit {
  readonly pid: Pid;
  /** The fence of the holder's lease. Left out by writers that do not run the process. */
  readonly fence?: number;
  /**
   * Consecutive positions, right after the last one ever taken; the first of a new log may be any, for a fork
   * goes on where its parent was cut. Message ids are unique in a process.
   */
  readonly appends?: readonly LogEntry[];
  readonly puts?: readonly Put[];
  /** Rows that do not exist are passed over. */
  readonly deletes?: readonly RowKey[];
  /** All of these must hold before anything is written. */
  readonly expect?: readonly Expectation[];
  /** What becomes findable by text. */
  readonly documents?: readonly SearchDocument[];
}

export interface RowKey {
  readonly space: Space;
  readonly key: string;
}

export interface Put extends RowKey {
  readonly value: Json;
  /** When the row falls due; `scan` finds it by this. */
  readonly dueAt?: Instant;
}

export interface Expectation extends RowKey {
  /** The version that the row must have; 0 means that it must not exist. */
  readonly version: number;
}

export interface ReadQuery {
  /** Positions, both ends included. */
  readonly from?: Seq;
  readonly to?: Seq;
  /** Only these positions; with it, `from` and `to` are left out. */
  readonly seqs?: readonly Seq[];
  /** Only these messages. */
  readonly ids?: readonly MessageId[];
  /** `at >= since` and `at < until`. */
  readonly since?: Instant;
  readonly until?: Instant;
  /** By position. Default `ascending`. */
  readonly order?: 'ascending' | 'descending';
  /** 1 to 10,000. */
  readonly limit: number;
  readonly cursor?: string;
}

export interface ScanQuery {
  /** `dueAt <= dueBefore`. */
  readonly dueBefore?: Instant;
  /** The cursor of the slice before. */
  readonly after?: string;
  /** 1 to 10,000. */
  readonly limit: number;
}

/** One unit of text search. Ordinals are dense in a lineage and collection, from 0. */
export interface IndexedDocument {
  readonly ordinal: number;
  /** The log position it belongs to: by it a lineage is cut. */
  readonly seq: Seq;
  /** The message's or passage's id. */
  readonly ref: string;
  /** Neighbours count for each other only within one session. */
  readonly session: string;
  /** Empty when nobody in particular speaks. */
  readonly speaker: string;
  readonly at: Instant;
  /** Number of terms. */
  readonly length: number;
  /** The same for all that say the same, so that they are shown as one. At most 64 bytes; left out for one of its own. */
  readonly digest?: string;
}

export interface SearchDocument extends IndexedDocument {
  readonly collection: Collection;
  /** Distinct terms with how often each occurs. A term is at most 128 bytes of UTF-8. */
  readonly terms: readonly (readonly [term: string, count: number])[];
}

export interface Posting {
  readonly term: string;
  readonly ordinal: number;
  readonly count: number;
}

/** What `erase` forgets. All of a process only when that is said: a list that is empty erases nothing. */
export type EraseScope = WholeProcess | PartsOfProcess;

/** Log, rows, documents and lease. */
export interface WholeProcess {
  readonly pid: Pid;
  readonly whole: true;
  /** The fence of the holder's lease, as in a commit. */
  readonly fence?: number;
}

/** Order, lease and fence stay as they are, and so does every row. */
export interface PartsOfProcess {
  readonly pid: Pid;
  /**
   * Positions of the process's own log. The entries go, and their documents among the messages with all postings. The
   * positions stay unused: the log goes on after the last one that was ever taken. The ids of the messages are free.
   */
  readonly seqs: readonly Seq[];
  /** Ordinals of passages whose documents go, with all postings. */
  readonly passages?: readonly number[];
  readonly fence?: number;
}

export interface LogStats {
  readonly messages: number;
  /** The last position that was taken, also when its message was erased. */
  readonly lastSeq: Seq;
  /** Bytes of stored message text, as the store counts them; for people. */
  readonly bytes: number;
}

export interface Lease {
  readonly fence: number;
  readonly expiresAt: Instant;
}
