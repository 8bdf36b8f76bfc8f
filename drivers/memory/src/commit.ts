import type { Commit, IndexedDocument, LogEntry, Put, SearchDocument } from '@pagefault/contracts';
import { checkCommit } from './check.js';
import { type FrozenCopy, frozenCopy } from './copy.js';
import { processOf, type ProcessStore, type Store } from './store.js';
import { addDocument } from './text.js';

/**
 * Prepare, check, apply. All that can fail comes before the first write and nothing here waits, so a
 * commit is atomic.
 */
export function applyCommit(store: Store, commit: Commit): void {
  const appends = (commit.appends ?? []).map((entry) => frozenCopy(`message ${entry.message.id}`, entry));
  const puts = (commit.puts ?? []).map((put) => frozenCopy(`row ${put.space}/${put.key}`, put).value);
  const documents = (commit.documents ?? []).map((document) => frozenCopy(document.ref, document).value);
  checkCommit(store.processes.get(commit.pid), commit);

  const owner = processOf(store, commit.pid);
  for (const copy of appends) append(owner, copy);
  for (const put of puts) putRow(owner, put);
  for (const { space, key } of commit.deletes ?? []) owner.spaces.get(space)?.delete(key);
  for (const document of documents) index(owner, document);
}

function append(owner: ProcessStore, { value: entry, bytes }: FrozenCopy<LogEntry>): void {
  if (owner.log.entries.length === 0) owner.log.first = entry.seq;
  owner.log.entries.push({ entry, bytes });
  owner.log.seqs.set(entry.message.id, entry.seq);
}

function putRow(owner: ProcessStore, put: Put): void {
  const rows = owner.spaces.get(put.space) ?? new Map();
  owner.spaces.set(put.space, rows);
  const version = (rows.get(put.key)?.version ?? 0) + 1;
  rows.set(put.key, Object.freeze({ ...put, version }));
}

function index(owner: ProcessStore, { collection, terms, ...document }: SearchDocument): void {
  const text = owner.texts.get(collection) ?? { documents: new Map(), postings: new Map() };
  owner.texts.set(collection, text);
  addDocument(text, Object.freeze<IndexedDocument>(document), terms);
}
