import type { ArchivalDriver, Scope } from '@pagefault/contracts';
import { createLifecycle, parseOptions } from '@pagefault/driver-kit';
import { NAME, refusal } from './errors.js';
import { type PgvectorArchivalOptions, pgvectorArchivalOptions } from './options.js';
import { type Names, prepare } from './schema.js';
import { countEntries, encode, listIds, nearest, removeEntries, upsertEntries } from './statements.js';

/**
 * Archival on pgvector. Opens the port that it is given, never closes it. Queries scan their scope, so that
 * they never miss.
 * Errors: those of the contract; `E_CONFIG` for a wrong option or a database without pgvector.
 */
export function createPgvectorArchival(options: PgvectorArchivalOptions): ArchivalDriver {
  const { sql, dimension, schema } = parseOptions('archival.pgvector', pgvectorArchivalOptions, options);
  // `enter` refuses everything until `prepare` has given the names.
  let names: Names = { table: '', extension: '' };
  const { open, close, enter } = createLifecycle(NAME, async () => {
    await sql.open();
    names = await prepare(sql, schema, dimension);
  });
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
      await upsertEntries(sql, names, scope, encode(entries, dimension));
    },
    async query(query, signal) {
      enter('query', signal);
      checkScope('query', query.scope);
      return nearest(sql, names, query, dimension);
    },
    async remove(scope, ids, signal) {
      enter('remove', signal);
      checkScope('remove', scope);
      await removeEntries(sql, names, scope, ids);
    },
    async count(scope, signal) {
      enter('count', signal);
      checkScope('count', scope);
      return countEntries(sql, names, scope);
    },
    async list(scope, query, signal) {
      enter('list', signal);
      checkScope('list', scope);
      return listIds(sql, names, scope, query);
    },
  };
}

function checkScope(operation: string, scope: Scope): void {
  if (scope !== '') return;
  const hint = 'name the tenant’s scope: nothing works on all of them at once';
  throw refusal('E_INVALID', `${operation}: the scope is empty`, hint);
}
