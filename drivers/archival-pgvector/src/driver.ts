import type { ArchivalDriver, VectorHit, VectorQuery } from '@pagefault/contracts';
import { checkScope, createLifecycle, parseOptions } from '@pagefault/driver-kit';
import { writeEntries } from './bulk.js';
import { NAME } from './errors.js';
import { factsOf } from './facts.js';
import { isIndexable } from './form.js';
import { INDEX_FROM, type PgvectorArchivalOptions, pgvectorArchivalOptions } from './options.js';
import { LargeScopes } from './large-scopes.js';
import { beginRebuild, dropAbandoned, finishRebuild, type Rebuild } from './rebuild.js';
import { type Names, namesOf, prepare } from './schema.js';
import { scan, searchIndex } from './search.js';
import { countEntries, listIds, removeEntries } from './statements.js';
import { checkEntries } from './vectors.js';

/**
 * Archival on pgvector. Opens the port that it is given, never closes it. A query scans its scope, so that it never
 * misses; scopes of `indexFrom` vectors and more are searched by an index, which is made when the first one is met.
 * Errors: those of the contract; `E_CONFIG` for a wrong option or a database without pgvector.
 */
export function createPgvectorArchival(options: PgvectorArchivalOptions): ArchivalDriver {
  const parsed = parseOptions('archival.pgvector', pgvectorArchivalOptions, options);
  const { sql, dimension, schema } = parsed;
  const from = parsed.indexFrom ?? (sql.supports.shared ? INDEX_FROM : Infinity);
  const large = new LargeScopes({ sql, dimension, from, onWarning: parsed.onWarning });
  // `enter` refuses everything until `prepare` has given the names.
  let names: Names = namesOf(schema, 'vectors', '');
  let mayRebuild = false;
  let rebuilt: Rebuild | undefined;
  const { open, close, enter } = createLifecycle(NAME, async () => {
    await sql.open();
    rebuilt = mayRebuild ? await beginRebuild(sql, schema, dimension) : undefined;
    names = rebuilt?.names ?? (await prepare(sql, schema, dimension));
    if (rebuilt?.from === undefined) await dropAbandoned(sql, schema, names);
    await large.open(names);
  });
  async function nearest(query: VectorQuery): Promise<readonly VectorHit[]> {
    if (large.isIndexed(query.scope)) return searchIndex(sql, names, query, dimension);
    const { hits, compared } = await scan(sql, names, query, dimension, from < Infinity);
    large.note(query.scope, compared);
    return hits;
  }
  return {
    kind: 'archival',
    name: NAME,
    specVersion: 1,
    supports: Object.freeze({ dimension, exact: from === Infinity || !isIndexable(dimension) }),
    open,
    async close() {
      await large.close();
      await close();
    },
    async rebuild(signal) {
      mayRebuild = true;
      await open(signal).finally(() => (mayRebuild = false));
      return rebuilt?.from;
    },
    async finishRebuild(signal) {
      enter('finishRebuild', signal);
      if (rebuilt?.from === undefined) return;
      await large.close();
      names = await finishRebuild(sql, schema, rebuilt);
      rebuilt = undefined;
      await large.open(names);
    },
    async facts(signal) {
      enter('facts', signal);
      return factsOf(sql, names, { dimension, indexFrom: isIndexable(dimension) ? from : Infinity }, signal);
    },
    async upsert(scope, entries, signal) {
      enter('upsert', signal);
      checkScope(NAME, 'upsert', scope);
      await writeEntries(sql, names, scope, checkEntries(entries, dimension), signal);
    },
    async query(query, signal) {
      enter('query', signal);
      checkScope(NAME, 'query', query.scope);
      return nearest(query);
    },
    async remove(scope, ids, signal) {
      enter('remove', signal);
      checkScope(NAME, 'remove', scope);
      await removeEntries(sql, names, scope, ids);
      large.forget(scope);
    },
    async count(scope, signal) {
      enter('count', signal);
      checkScope(NAME, 'count', scope);
      return countEntries(sql, names, scope);
    },
    async list(scope, query, signal) {
      enter('list', signal);
      checkScope(NAME, 'list', scope);
      return listIds(sql, names, scope, query);
    },
  };
}
