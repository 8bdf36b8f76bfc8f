import { SQL, type SqlPort } from '@pagefault/driver-kit';
import { ContainerModule } from 'inversify';
import type { PgliteOptions } from './options.js';
import { createPgliteSql } from './port.js';

/** Binds the container's SQL port to a database in process. */
export function pgliteModule(options: PgliteOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<SqlPort>(SQL)
      .toResolvedValue(() => createPgliteSql(options), [])
      .inSingletonScope();
  });
}
