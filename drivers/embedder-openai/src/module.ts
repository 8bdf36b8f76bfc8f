import { EMBEDDER } from '@pagefault/contracts';
import { ContainerModule } from 'inversify';
import { createOpenAIEmbedder } from './driver.js';
import type { OpenAIEmbedderOptions } from './options.js';

/** Binds `EMBEDDER` to one embedder with these options. Whoever resolves it opens and closes it. */
export function embedderOpenAIModule(options: OpenAIEmbedderOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(EMBEDDER)
      .toResolvedValue(() => createOpenAIEmbedder(options), [])
      .inSingletonScope();
  });
}
