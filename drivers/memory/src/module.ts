import {
  ARCHIVAL,
  type ArchivalDriver,
  EMBEDDER,
  type EmbedderDriver,
  RECALL,
  type RecallDriver,
} from '@pagefault/contracts';
import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { createMemoryArchival } from './archival.js';
import { createMemoryRecall } from './driver.js';
import type { MemoryRecallOptions } from './options.js';

/** Recall and archival in memory. Load the two modules below instead when only one of them is wanted. */
export function memoryModule(options: MemoryRecallOptions = {}): ContainerModule {
  const parts = [bindRecall(options), bindArchival];
  return new ContainerModule((binder) => parts.forEach((bind) => bind(binder)));
}

export function memoryRecallModule(options: MemoryRecallOptions = {}): ContainerModule {
  return new ContainerModule(bindRecall(options));
}

/** The index is as wide as the embedder's vectors. */
export function memoryArchivalModule(): ContainerModule {
  return new ContainerModule(bindArchival);
}

type Bind = (options: ContainerModuleLoadOptions) => void;

function bindRecall(options: MemoryRecallOptions): Bind {
  return ({ bind }) => {
    bind<RecallDriver>(RECALL)
      .toResolvedValue(() => createMemoryRecall(options), [])
      .inSingletonScope();
  };
}

const bindArchival: Bind = ({ bind }) => {
  bind<ArchivalDriver>(ARCHIVAL)
    .toResolvedValue(
      ({ supports }: EmbedderDriver) => createMemoryArchival({ dimension: supports.dimension }),
      [EMBEDDER],
    )
    .inSingletonScope();
};
