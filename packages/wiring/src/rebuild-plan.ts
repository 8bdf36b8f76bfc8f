/** What a rebuild of the archival index would come to. */
import type { ArchivalDriver } from '@pagefault/contracts';
import { checkIndexes, type ProcessIndex, type Resource } from '@pagefault/kernel';
import { buildStack } from './stack.js';
import { configOf, type StartOptions } from './start.js';

/**
 * What recall holds for a new index, process by process; nothing is written, and the index that is there is not looked at.
 * Errors: those of `start`, but for those of the index.
 */
export async function* planRebuild(
  options: StartOptions,
  signal?: AbortSignal,
): AsyncGenerator<ProcessIndex> {
  const { recall, embedder, resources = [] } = await buildStack(await configOf(options), () => undefined);
  if (!embedder) return;
  const opened: Pick<Resource, 'close'>[] = [];
  try {
    for (const part of [...resources, recall]) {
      opened.push(part);
      await part.open(signal);
    }
    yield* checkIndexes({ recall, embedder, archival: emptyIndex(embedder.supports.dimension) }, signal);
  } finally {
    for (const part of opened.reverse()) await part.close();
  }
}

/** One that holds nothing, and takes nothing. */
function emptyIndex(dimension: number): ArchivalDriver {
  const nothing = async (): Promise<void> => undefined;
  return {
    kind: 'archival',
    name: 'empty',
    specVersion: 1,
    supports: { dimension, exact: true },
    open: nothing,
    close: nothing,
    upsert: () => Promise.reject(new TypeError('nothing is written into an empty index')),
    query: async () => [],
    remove: nothing,
    count: async () => 0,
    list: async () => ({ items: [] }),
  };
}
