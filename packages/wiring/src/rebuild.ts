/** An archival index whose vectors have another length than the embedder's is made anew. */
import type { KernelOptions } from '@pagefault/kernel';

/** A new index is open beside the old one. */
export interface Rebuilding {
  /** The length of the old one's vectors. */
  readonly from: number;
  /** When the new index is whole: it takes the place of the old one, which is removed. */
  finish(signal?: AbortSignal): Promise<void>;
}

/** Undefined when the index is as it should be, or the driver cannot. What was opened stays open: `boot` opens it again. */
export async function beginRebuild({
  archival,
  resources = [],
}: Pick<KernelOptions, 'archival' | 'resources'>): Promise<Rebuilding | undefined> {
  if (!archival?.rebuild) return undefined;
  try {
    const from = await archival.rebuild();
    if (from === undefined) return undefined;
    return { from, finish: async (signal) => archival.finishRebuild?.(signal) };
  } catch (error) {
    for (const part of [archival, ...resources]) await part.close();
    throw error;
  }
}
