/** An index whose vectors can be looked at, and an embedder that can be held up. */
import type { ArchivalDriver, EmbedderDriver, RecallDriver } from '@pagefault/contracts';
import { createMemoryArchival } from '@pagefault/driver-memory';
import { themeEmbedder } from './embedding.js';
import { gate } from './stack.js';

export interface OpenIndex extends ArchivalDriver {
  /** By `<scope>#<id>`. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

export function openIndex(): OpenIndex {
  const base = createMemoryArchival({ dimension: 4 });
  const vectors = new Map<string, Float32Array>();
  return {
    ...base,
    close: async () => undefined,
    vectors,
    upsert: async (scope, entries, signal) => {
      await base.upsert(scope, entries, signal);
      for (const { id, vector } of entries) vectors.set(`${scope}#${id}`, vector);
    },
    remove: async (scope, ids, signal) => {
      await base.remove(scope, ids, signal);
      for (const key of vectors.keys())
        if (ids === 'all' ? key.startsWith(`${scope}#`) : ids.some((id) => key === `${scope}#${id}`))
          vectors.delete(key);
    },
  };
}

/** The vector of the n-th message, from 0. */
export function messageVector({ vectors }: OpenIndex, ordinal: number): Float32Array | undefined {
  const found = [...vectors].find(([key]) => key.startsWith('recall/') && key.endsWith(`#${ordinal}`));
  return found?.[1];
}

export interface HeldEmbedder extends EmbedderDriver {
  /** Resolves when it was asked for the first time. */
  readonly asked: Promise<void>;
  letGo(): void;
}

/** Has read the texts, and answers when it is told to. */
export function heldEmbedder(): HeldEmbedder {
  const base = themeEmbedder();
  const [asked, held] = [gate(), gate()];
  return {
    ...base,
    asked: asked.opened,
    letGo: held.open,
    embed: async (texts, signal) => {
      asked.open();
      await held.opened;
      return base.embed(texts, signal);
    },
  };
}

/** A store that says that other kernels use it too. */
export function sharedRecall(base: RecallDriver): RecallDriver {
  return { ...base, supports: { ...base.supports, shared: true }, close: async () => undefined };
}
