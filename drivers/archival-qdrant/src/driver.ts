import type { ArchivalDriver, Scope } from '@pagefault/contracts';
import { checkScope, createLifecycle, notOpen } from '@pagefault/driver-kit';
import { NAME } from './errors.js';
import { type QdrantArchivalOptions, readOptions } from './options.js';
import { openStore, type Store } from './store.js';

/**
 * Archival on Qdrant: one collection, scopes apart by an indexed field. Writes are waited for, so that they are found at
 * once (B20). Sends nothing before `open`.
 * Errors: those of the contract; `E_CONFIG` for a wrong option, an old server or a collection of another kind; and of the
 * server and the network `E_AUTH`, `E_RATE_LIMITED`, `E_OVERLOADED`, `E_TIMEOUT`, `E_PROTOCOL`.
 */
export function createQdrantArchival(input: QdrantArchivalOptions): ArchivalDriver {
  const options = readOptions(input);
  let store: Store | undefined;
  let closing = new AbortController();
  let mayRebuild = false;
  let isReplacing = false;
  const { open, close, enter } = createLifecycle(NAME, async () => {
    closing = new AbortController();
    store = await openStore(options, closing.signal, mayRebuild);
    isReplacing = store.from !== undefined;
  });
  const opened = (operation: string, signal: AbortSignal | undefined): Store => {
    enter(operation, signal);
    if (store === undefined) throw notOpen(NAME, operation);
    return store;
  };
  const begin = (operation: string, scope: Scope, signal: AbortSignal | undefined): Store => {
    const found = opened(operation, signal);
    checkScope(NAME, operation, scope);
    return found;
  };
  return {
    kind: 'archival',
    name: NAME,
    specVersion: 1,
    supports: Object.freeze({ dimension: options.dimension, exact: options.exact }),
    open,
    async close() {
      closing.abort();
      await close();
      await store?.end();
      store = undefined;
    },
    async rebuild(signal) {
      mayRebuild = true;
      await open(signal).finally(() => (mayRebuild = false));
      return store?.from;
    },
    async finishRebuild(signal) {
      const found = opened('finishRebuild', signal);
      if (!isReplacing) return;
      await found.finishRebuild(signal);
      isReplacing = false;
    },
    facts: async (signal) => opened('facts', signal).facts(signal),
    upsert: async (scope, entries, signal) => begin('upsert', scope, signal).upsert(scope, entries, signal),
    query: async (query, signal) => begin('query', query.scope, signal).query(query, signal),
    remove: async (scope, ids, signal) => begin('remove', scope, signal).remove(scope, ids, signal),
    count: async (scope, signal) => begin('count', scope, signal).count(scope, signal),
    list: async (scope, query, signal) => begin('list', scope, signal).list(scope, query, signal),
  };
}
