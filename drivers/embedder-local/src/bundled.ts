/** The bundled model: Universal Sentence Encoder lite, on either runtime. */
import type { EmbedderManifest } from '@pagefault/contracts';
import { DIMENSION, FINGERPRINT, MAX_TOKENS } from './model/facts.js';
import { openModel, type OnnxLoader, type Model } from './model/open.js';
import type { LocalEmbedderSettings } from './options.js';
import type { SentenceModel } from './sentence-model.js';
import { windowsOf } from './text/windows.js';

export const BUNDLED_MANIFEST: Readonly<EmbedderManifest> = Object.freeze({
  dimension: DIMENSION,
  maxTokens: MAX_TOKENS,
  fingerprint: FINGERPRINT,
});

export async function openBundled(
  settings: LocalEmbedderSettings,
  loadOnnx: OnnxLoader,
): Promise<SentenceModel<Int32Array>> {
  return bundledModel(await openModel(settings, loadOnnx));
}

/** Windows of a text are of equal size, so they count alike; the purpose makes no difference to this model. */
export function bundledModel({ vocabulary, runtime }: Model): SentenceModel<Int32Array> {
  return {
    cut: (text) =>
      windowsOf(vocabulary, text).map((window) => ({ window, places: window.length, weight: 1 })),
    run: (windows, checkpoint) => runtime.run(windows, checkpoint),
    close: () => runtime.close(),
  };
}
