import { existsSync } from 'node:fs';
import type { EmbedderDriver } from '@pagefault/contracts';
import { blend, NEAREST, type Ranked, weightBefore } from '../src/core/search/index.js';
import { indexSet } from './search-index.js';
import type { SearchSet } from './search-sets.js';

/** The vector arm over whole sets, by exact cosine. */
export interface Vectors {
  /** Embeds a set; the answer ranks its turns by similarity to a question. */
  index(set: SearchSet): Promise<(question: string) => Promise<readonly Ranked[]>>;
  close(): Promise<void>;
}

const BATCH = 32;

/** Undefined, with a line that says so, where the embedder is not built. */
export async function openVectors(): Promise<Vectors | undefined> {
  // By address and not by name: the kernel depends on no embedder, this measurement may use one.
  const address = new URL('../../drivers/embedder-local/src/index.ts', import.meta.url);
  if (!existsSync(address)) {
    console.log('skipped: no bundled embedder, so no vectors');
    return undefined;
  }
  const { createLocalEmbedder } = (await import(address.href)) as { createLocalEmbedder(): EmbedderDriver };
  const embedder = createLocalEmbedder();
  await embedder.open();
  return { index: (set) => indexVectors(embedder, set), close: () => embedder.close() };
}

async function indexVectors(embedder: EmbedderDriver, set: SearchSet) {
  // Who speaks is part of what a turn means to an encoder: .233 without it on LoCoMo, .398 with it.
  const texts = set.turns.map(({ speaker, text }) =>
    set.speakers.includes(speaker) ? `${speaker}: ${text}` : text,
  );
  const vectors: Float32Array[] = [];
  for (let i = 0; i < texts.length; i += BATCH)
    vectors.push(...(await embedder.embed(texts.slice(i, i + BATCH))));
  const { documents } = indexSet(set);
  const blended = documents.map((document, i) => {
    const weight = weightBefore(document, documents[i - 1]);
    return blend(vectors[i] ?? new Float32Array(), vectors[i - 1], weight);
  });
  return async (question: string): Promise<readonly Ranked[]> => {
    const [asked = new Float32Array()] = await embedder.embed([question]);
    const ranked = blended.map((vector, ordinal) => ({ ordinal, score: (1 + dot(asked, vector)) / 2 }));
    return ranked.sort((a, b) => b.score - a.score).slice(0, NEAREST);
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
