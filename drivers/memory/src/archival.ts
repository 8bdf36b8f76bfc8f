import { type ArchivalDriver, PagefaultError, type Scope } from '@pagefault/contracts';
import { createLifecycle, parseOptions } from '@pagefault/driver-kit';
import { type MemoryArchivalOptions, memoryArchivalOptions } from './options.js';
import { nearest, type StoredVector, storedVector } from './vectors.js';

const NAME = 'memory';

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
      checkScope('upsert', scope);
      const fresh = entries.map((entry) => storedVector(entry, dimension));
      const vectors = scopes.get(scope) ?? new Map<string, StoredVector>();
      scopes.set(scope, vectors);
      for (const vector of fresh) vectors.set(vector.id, vector);
    },
    async query(query, signal) {
      enter('query', signal);
      checkScope('query', query.scope);
      return nearest(scopes.get(query.scope)?.values() ?? [], query, dimension);
    },
    async remove(scope, ids, signal) {
      enter('remove', signal);
      checkScope('remove', scope);
      if (ids === 'all') scopes.delete(scope);
      else for (const id of ids) scopes.get(scope)?.delete(id);
    },
    async count(scope, signal) {
      enter('count', signal);
      checkScope('count', scope);
      return scopes.get(scope)?.size ?? 0;
    },
  };
}

function checkScope(operation: string, scope: Scope): void {
  if (scope !== '') return;
  throw new PagefaultError('E_INVALID', `${operation}: the scope is empty`, {
    driver: NAME,
    hint: 'name the tenant’s scope: nothing works on all of them at once',
  });
}
