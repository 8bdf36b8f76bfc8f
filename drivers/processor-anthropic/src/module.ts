import { PROCESSOR } from '@pagefault/contracts';
import { ContainerModule } from 'inversify';
import { createAnthropicProcessor } from './driver.js';
import type { AnthropicProcessorOptions } from './options.js';

/** Binds `PROCESSOR` to one processor with these options. */
export function processorAnthropicModule(options: AnthropicProcessorOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(PROCESSOR)
      .toResolvedValue(() => createAnthropicProcessor(options), [])
      .inSingletonScope();
  });
}
