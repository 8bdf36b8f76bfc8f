import { existsSync } from 'node:fs';
import type { EmbedderDriver } from '@pagefault/contracts';
import type { Ranked } from '../src/core/search/index.js';
import type { SearchSet } from './search-sets.js';

/** The vector arm over whole sets, by exact cosine. */
export interface Vectors {
  /** Embeds a set; the answer ranks its turns by similarity to a question. */
  index(set: SearchSet): Promise<(question: string) => Promise<readonly Ranked[]>>;
  close(): Promise<void>;
}

const BATCH = 32;
/** As many as one query of an archival driver gives. */
const NEAREST = 200;

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
  return async (question: string): Promise<readonly Ranked[]> => {
    const [asked = new Float32Array()] = await embedder.embed([question]);
    const ranked = vectors.map((vector, ordinal) => ({ ordinal, score: dot(asked, vector) }));
    return ranked.sort((a, b) => b.score - a.score).slice(0, NEAREST);
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
