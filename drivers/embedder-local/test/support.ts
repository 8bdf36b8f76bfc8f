import type { EmbedderDriver } from '@pagefault/contracts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { BUNDLED_MANIFEST, bundledModel } from '../src/bundled.js';
import { createEmbedder } from '../src/driver.js';
import { DIMENSION } from '../src/model/facts.js';
import { locateWeights } from '../src/model/package.js';
import type { Runtime } from '../src/runtime.js';
import { readVocabulary, type PieceNode } from '../src/text/vocabulary.js';

/** A folder that is removed after the tests of the calling file. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagefault-embedder-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

export async function loadVocabulary(): Promise<PieceNode> {
  return readVocabulary(await locateWeights());
}

export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return Array.from(a ?? []).reduce((sum, n, i) => sum + n * (b?.[i] ?? Number.NaN), 0);
}

export function largestDifference(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return Math.max(...Array.from(a ?? [Number.NaN], (n, i) => Math.abs(n - (b?.[i] ?? Number.NaN))));
}

/** The driver over a runtime double. By default a window's vector points along the axis of its first token. */
export function embedderOver(double: Partial<Runtime>, batchSize = 32): EmbedderDriver {
  const runtime: Runtime = {
    name: 'plain',
    run: async (windows) => windows.map((window) => axis(window[0] ?? 0)),
    close: async () => {},
    ...double,
  };
  const open = async () => bundledModel({ vocabulary: await loadVocabulary(), runtime });
  return createEmbedder(BUNDLED_MANIFEST, open, batchSize);
}

export function axis(index: number): Float32Array {
  return new Float32Array(DIMENSION).fill(1, index % DIMENSION, (index % DIMENSION) + 1);
}

/** A promise that is settled by hand. */
export function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}
