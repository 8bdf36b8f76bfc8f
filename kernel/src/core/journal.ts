import type {
  Collection,
  Commit,
  LogEntry,
  Pid,
  Put,
  RowKey,
  SearchDocument,
  Seq,
  Expectation,
} from '@pagefault/contracts';
import { changedRows } from './records.js';
import type { ProcessState } from './state.js';

/** Rows of text that still want a vector. */
export const OUTBOX_SPACE = 'outbox';
/** What became of each interrupt, by its id. */
export const DELIVERY_SPACE = 'deliveries';
export const INBOX_SPACE = 'inbox';
/** Which interrupt of the inbox a later one with the same key is merged into. */
export const COALESCING_SPACE = 'coalescing';
export const PASSAGE_SPACE = 'passages';

/** A text that wants a vector, or whose vector must go because the text is gone. */
export interface OutboxEntry {
  readonly collection: Collection;
  readonly ordinal: number;
  readonly ref: string;
  readonly seq: Seq;
  readonly at: number;
}

/** Collects what one commit will write. The state's own rows are added by comparing with the last commit. */
export class Journal {
  readonly #pid: Pid;
  #saved: ProcessState | undefined;
  #appends: LogEntry[] = [];
  #documents: SearchDocument[] = [];
  #puts: Put[] = [];
  #deletes: RowKey[] = [];
  #expect: Expectation[] = [];

  constructor(pid: Pid, saved: ProcessState | undefined) {
    this.#pid = pid;
    this.#saved = saved;
  }

  /** Log entries that no commit holds yet. */
  get appends(): readonly LogEntry[] {
    return this.#appends;
  }

  append(entry: LogEntry): void {
    this.#appends.push(entry);
  }

  /** Findable by text with this commit; by meaning once the outbox is done with it. */
  index(document: SearchDocument, wantsVector: boolean): void {
    this.#documents.push(document);
    if (!wantsVector) return;
    const { collection, ordinal, ref, seq, at } = document;
    const entry: OutboxEntry = { collection, ordinal, ref, seq, at };
    this.put({ space: OUTBOX_SPACE, key: outboxKey(collection, ordinal), value: { ...entry } });
  }

  /** The last word on a row counts: a commit never both puts and deletes it. */
  put(put: Put): void {
    this.#deletes = this.#deletes.filter((key) => !isSameRow(key, put));
    this.#puts.push(put);
  }

  delete(key: RowKey): void {
    this.#puts = this.#puts.filter((put) => !isSameRow(key, put));
    this.#deletes.push(key);
  }

  expect(expectation: Expectation): void {
    this.#expect.push(expectation);
  }

  /** The commit that brings the store to `state`; undefined when it is there already. */
  take(state: ProcessState): Commit | undefined {
    const rows = changedRows(this.#saved, state);
    const commit: Commit = {
      pid: this.#pid,
      appends: this.#appends,
      documents: this.#documents,
      puts: [...rows.puts, ...this.#puts],
      deletes: [...rows.deletes, ...this.#deletes],
      expect: this.#expect,
    };
    this.#saved = state;
    [this.#appends, this.#documents, this.#puts, this.#deletes, this.#expect] = [[], [], [], [], []];
    return isEmpty(commit) ? undefined : commit;
  }
}

function isSameRow(a: RowKey, b: RowKey): boolean {
  return a.space === b.space && a.key === b.key;
}

/** Padded, so that the outbox is drained in the order in which it was filled. */
export function outboxKey(collection: Collection, ordinal: number): string {
  return `${collection}/${String(ordinal).padStart(12, '0')}`;
}

function isEmpty(commit: Commit): boolean {
  return !commit.appends?.length && !commit.puts?.length && !commit.deletes?.length;
}
