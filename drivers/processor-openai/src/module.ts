import { PROCESSOR } from '@pagefault/contracts';
import { ContainerModule } from 'inversify';
import { createOpenAIProcessor } from './driver.js';
import type { OpenAIProcessorOptions } from './options.js';

/** Binds `PROCESSOR` to one processor with these options. */
export function processorOpenAIModule(options: OpenAIProcessorOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(PROCESSOR)
      .toResolvedValue(() => createOpenAIProcessor(options), [])
      .inSingletonScope();
  });
}
