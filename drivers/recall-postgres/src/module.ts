import { RECALL, type RecallDriver } from '@pagefault/contracts';
import { SQL, type SqlPort } from '@pagefault/driver-kit';
import { ContainerModule } from 'inversify';
import { createPostgresRecall } from './driver.js';
import type { PostgresRecallOptions } from './options.js';
import type { PgSqlOptions } from './pg-options.js';
import { createPgSql } from './pg-sql.js';

/** Binds recall on the container's SQL port. */
export function recallPostgresModule(options: Omit<PostgresRecallOptions, 'sql'> = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<RecallDriver>(RECALL)
      .toResolvedValue((sql: SqlPort) => createPostgresRecall({ ...options, sql }), [SQL])
      .inSingletonScope();
  });
}

/** Binds the container's SQL port to a PostgreSQL server. */
export function pgSqlModule(options: PgSqlOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<SqlPort>(SQL)
      .toResolvedValue(() => createPgSql(options), [])
      .inSingletonScope();
  });
}
