import type { ArchivalDriver, ListQuery, Scope, Slice } from '@pagefault/contracts';
import { checkScope, createLifecycle, parseCursor, parseOptions } from '@pagefault/driver-kit';
import { type MemoryArchivalOptions, memoryArchivalOptions } from './options.js';
import { NAME } from './errors.js';
import { byCodeUnits } from './order.js';
import { nearest, type StoredVector, storedVector } from './vectors.js';

/**
 * Archival in plain memory: compares with every vector of the scope, so it never misses. What it holds
 * outlives `close`, but not the operating-system process.
 * Errors: `E_CONFIG` for a wrong option.
 */
export function createMemoryArchival(options: MemoryArchivalOptions): ArchivalDriver {
  const { dimension } = parseOptions('archival.memory', memoryArchivalOptions, options);
  const { open, close, enter } = createLifecycle(NAME);
  const scopes = new Map<Scope, Map<string, StoredVector>>();
  return {
    kind: 'archival',
    name: NAME,
    specVersion: 1,
    supports: Object.freeze({ dimension, exact: true }),
    open,
    close,
    async upsert(scope, entries, signal) {
      enter('upsert', signal);
      checkScope(NAME, 'upsert', scope);
      const fresh = entries.map((entry) => storedVector(entry, dimension));
      const vectors = scopes.get(scope) ?? new Map<string, StoredVector>();
      scopes.set(scope, vectors);
      for (const vector of fresh) vectors.set(vector.id, vector);
    },
    async query(query, signal) {
      enter('query', signal);
      checkScope(NAME, 'query', query.scope);
      return nearest(scopes.get(query.scope)?.values() ?? [], query, dimension);
    },
    async remove(scope, ids, signal) {
      enter('remove', signal);
      checkScope(NAME, 'remove', scope);
      if (ids === 'all') scopes.delete(scope);
      else for (const id of ids) scopes.get(scope)?.delete(id);
    },
    async count(scope, signal) {
      enter('count', signal);
      checkScope(NAME, 'count', scope);
      return scopes.get(scope)?.size ?? 0;
    },
    async list(scope, query, signal) {
      enter('list', signal);
      checkScope(NAME, 'list', scope);
      return listIds([...(scopes.get(scope)?.keys() ?? [])], query);
    },
  };
}

/** By id in code units; the cursor is the last id given. */
function listIds(ids: readonly string[], { after, limit }: ListQuery): Slice<string> {
  const last = after === undefined ? undefined : String(parseCursor(NAME, after, ['string'])[0]);
  const rest = ids.filter((id) => last === undefined || id > last).sort(byCodeUnits);
  const items = rest.slice(0, limit);
  return rest.length > limit ? { items, cursor: JSON.stringify([items.at(-1)]) } : { items };
}
