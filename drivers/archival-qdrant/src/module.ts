import { ARCHIVAL, type ArchivalDriver, EMBEDDER, type EmbedderDriver } from '@pagefault/contracts';
import { ContainerModule } from 'inversify';
import { createQdrantArchival } from './driver.js';
import type { QdrantArchivalOptions } from './options.js';

/** Binds archival on Qdrant, as wide as the embedder's vectors. */
export function archivalQdrantModule(
  options: Omit<QdrantArchivalOptions, 'dimension'> = {},
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<ArchivalDriver>(ARCHIVAL)
      .toResolvedValue(
        ({ supports }: EmbedderDriver) => createQdrantArchival({ ...options, dimension: supports.dimension }),
        [EMBEDDER],
      )
      .inSingletonScope();
  });
}
