import { PROCESSOR, type ProcessorDriver } from '@pagefault/contracts';
import { ContainerModule } from 'inversify';
import { createScriptedProcessor } from './driver.js';
import type { ReflexOptions, ScriptedOptions } from './options.js';
import { createReflexProcessor } from './reflex/processor.js';

/** Binds `PROCESSOR` to `reflex`, which needs no model. */
export function reflexModule(options: ReflexOptions = {}): ContainerModule {
  return moduleOf(() => createReflexProcessor(options));
}

/** Binds `PROCESSOR` to a script. */
export function scriptedModule(options: ScriptedOptions): ContainerModule {
  return moduleOf(() => createScriptedProcessor(options));
}

function moduleOf(create: () => ProcessorDriver): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<ProcessorDriver>(PROCESSOR).toResolvedValue(create).inSingletonScope();
  });
}
