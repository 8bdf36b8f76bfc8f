import type { RecallDriver } from '@pagefault/contracts';
import { createLifecycle, migrate, parseOptions, quoteIdentifier } from '@pagefault/driver-kit';
import { commitValues } from './commit.js';
import { erase } from './erase.js';
import { NAME, named, OPTIONS_NAME } from './errors.js';
import { factsOf } from './facts.js';
import { acquireLease, releaseLease } from './lease.js';
import { logStats, readLog } from './log.js';
import { type PostgresRecallOptions, postgresRecallOptions } from './options.js';
import { getRows, loadRows, scanRows } from './rows.js';
import { migrationsOf } from './schema.js';
import { findDocuments, findPostings } from './text.js';

/**
 * Recall on PostgreSQL, a server or in process. Opens the port that it is given, never closes it.
 * Errors: those of the contract; `E_CONFIG` for a wrong option, or a store of a newer version.
 */
export function createPostgresRecall(options: PostgresRecallOptions): RecallDriver {
  const { sql, schema: name } = parseOptions(OPTIONS_NAME, postgresRecallOptions, options);
  const schema = quoteIdentifier(name);
  const { open, close, enter } = createLifecycle(NAME, async () => {
    await sql.open();
    await migrate(sql, { schema: name, component: 'recall', migrations: migrationsOf(schema) });
  });
  return {
    kind: 'recall',
    name: NAME,
    specVersion: 1,
    supports: Object.freeze({ shared: sql.supports.shared, durable: sql.supports.durable }),
    open,
    close,
    async facts(signal) {
      enter('facts', signal);
      return factsOf(sql, schema, signal);
    },
    async commit(commit, signal) {
      enter('commit', signal);
      const call = `select ${schema}.commit($1, $2, $3, $4, $5, $6, $7)`;
      await sql.query(call, commitValues(commit)).catch((error: unknown) => {
        throw named(error);
      });
    },
    async load(pid, spaces, signal) {
      enter('load', signal);
      return loadRows(sql, schema, pid, spaces);
    },
    async get(pid, keys, signal) {
      enter('get', signal);
      return getRows(sql, schema, pid, keys);
    },
    async read(lineage, query, signal) {
      enter('read', signal);
      return readLog(sql, schema, lineage, query);
    },
    async scan(space, query, signal) {
      enter('scan', signal);
      return scanRows(sql, schema, space, query);
    },
    async postings(lineage, collection, terms, signal) {
      enter('postings', signal);
      return findPostings(sql, schema, lineage, collection, terms);
    },
    async documents(lineage, collection, ordinals, signal) {
      enter('documents', signal);
      return findDocuments(sql, schema, lineage, collection, ordinals);
    },
    async stats(lineage, signal) {
      enter('stats', signal);
      return logStats(sql, schema, lineage);
    },
    async erase(scope, signal) {
      enter('erase', signal);
      return erase(sql, schema, scope);
    },
    async acquireLease(pid, owner, ttl, signal) {
      enter('acquireLease', signal);
      return acquireLease(sql, schema, pid, owner, ttl);
    },
    async releaseLease(pid, owner) {
      enter('releaseLease');
      await releaseLease(sql, schema, pid, owner);
    },
  };
}
