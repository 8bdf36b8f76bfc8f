import { RECALL, type RecallDriver } from '@pagefault/contracts';
import { SQL, type SqlPort } from '@pagefault/driver-kit';
import { ContainerModule } from 'inversify';
import { createPostgresRecall } from './driver.js';
import type { PostgresRecallOptions } from './options.js';

/** Binds recall on the container's SQL port. */
export function recallPostgresModule(options: Omit<PostgresRecallOptions, 'sql'> = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<RecallDriver>(RECALL)
      .toResolvedValue((sql: SqlPort) => createPostgresRecall({ ...options, sql }), [SQL])
      .inSingletonScope();
  });
}
