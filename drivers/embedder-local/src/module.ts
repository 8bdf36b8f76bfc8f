import { EMBEDDER } from '@pagefault/contracts';
import { ContainerModule } from 'inversify';
import { createLocalEmbedder } from './driver.js';
import type { LocalEmbedderOptions } from './options.js';

/** Binds the local embedder to `EMBEDDER`. Whoever resolves it opens and closes it. */
export function embedderLocalModule(options: LocalEmbedderOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(EMBEDDER)
      .toResolvedValue(() => createLocalEmbedder(options))
      .inSingletonScope();
  });
}
