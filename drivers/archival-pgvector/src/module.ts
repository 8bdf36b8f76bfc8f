import { ARCHIVAL, type ArchivalDriver, EMBEDDER, type EmbedderDriver } from '@pagefault/contracts';
import { SQL, type SqlPort } from '@pagefault/driver-kit';
import { ContainerModule } from 'inversify';
import { createPgvectorArchival } from './driver.js';
import type { PgvectorArchivalOptions } from './options.js';

/** Binds archival on the container's SQL port, as wide as the embedder's vectors. */
export function archivalPgvectorModule(
  options: Omit<PgvectorArchivalOptions, 'sql' | 'dimension'> = {},
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<ArchivalDriver>(ARCHIVAL)
      .toResolvedValue(
        (sql: SqlPort, { supports }: EmbedderDriver) =>
          createPgvectorArchival({ ...options, sql, dimension: supports.dimension }),
        [SQL, EMBEDDER],
      )
      .inSingletonScope();
  });
}
