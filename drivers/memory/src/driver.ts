import type { RecallDriver } from '@pagefault/contracts';
import { createLifecycle, parseOptions } from '@pagefault/driver-kit';
import { NAME } from './errors.js';
import { applyCommit } from './commit.js';
import { erase } from './erase.js';
import { acquireLease, releaseLease } from './lease.js';
import { type MemoryRecallOptions, memoryRecallOptions } from './options.js';
import { logStats, readLog } from './read.js';
import { getRows, loadRows, scanRows } from './rows.js';
import { createStore } from './store.js';
import { findDocuments, findPostings } from './text.js';

/**
 * Recall in plain memory: the reference that the conformance suites compare other drivers with. What it
 * holds outlives `close` and is there again after `open`, but not the operating-system process.
 * Errors: `E_CONFIG` for a wrong option.
 */
export function createMemoryRecall(options: MemoryRecallOptions = {}): RecallDriver {
  const { now } = parseOptions('recall.memory', memoryRecallOptions, options);
  const { open, close, enter } = createLifecycle(NAME);
  const store = createStore();
  return {
    kind: 'recall',
    name: NAME,
    specVersion: 1,
    supports: Object.freeze({ shared: false, durable: false }),
    open,
    close,
    async commit(commit, signal) {
      enter('commit', signal);
      applyCommit(store, commit);
    },
    async load(pid, spaces, signal) {
      enter('load', signal);
      return loadRows(store, pid, spaces);
    },
    async get(pid, keys, signal) {
      enter('get', signal);
      return getRows(store, pid, keys);
    },
    async read(lineage, query, signal) {
      enter('read', signal);
      return readLog(store, lineage, query);
    },
    async scan(space, query, signal) {
      enter('scan', signal);
      return scanRows(store, space, query);
    },
    async postings(lineage, collection, terms, signal) {
      enter('postings', signal);
      return findPostings(store, lineage, collection, terms);
    },
    async documents(lineage, collection, ordinals, signal) {
      enter('documents', signal);
      return findDocuments(store, lineage, collection, ordinals);
    },
    async stats(lineage, signal) {
      enter('stats', signal);
      return logStats(store, lineage);
    },
    async erase(scope, signal) {
      enter('erase', signal);
      return erase(store, scope);
    },
    async acquireLease(pid, owner, ttl, signal) {
      enter('acquireLease', signal);
      return acquireLease(store, { pid, owner, ttl, now: now() });
    },
    async releaseLease(pid, owner) {
      enter('releaseLease');
      releaseLease(store, pid, owner);
    },
  };
}
