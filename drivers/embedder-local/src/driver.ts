import { PagefaultError, type EmbedderDriver, type EmbedderManifest } from '@pagefault/contracts';
import { parseOptions, refuseEmpty } from '@pagefault/driver-kit';
import { throwIfAborted, unlessAborted } from './abort.js';
import { BUNDLED_MANIFEST, openBundled } from './bundled.js';
import { embedTexts } from './embed.js';
import { DRIVER } from './model/facts.js';
import { loadOnnx } from './onnx/load.js';
import { localEmbedderOptions, type LocalEmbedderOptions } from './options.js';
import { createQueue } from './queue.js';
import type { SentenceModel } from './sentence-model.js';
import { sourceOf } from './source.js';
import { describeModel, refuseTransformerOptions } from './transformer/describe.js';
import { loadTransformers, type TransformersLoader } from './transformer/library.js';
import { openTransformer } from './transformer/open.js';

/**
 * Sentence embeddings in process: Universal Sentence Encoder lite, 512 numbers a text, without network; or any sentence
 * transformer as ONNX, from a folder or the hub. A text of more than `maxTokens` is cut into windows, whose vectors are
 * averaged and brought to length 1; beyond 8,192 tokens evenly spaced ones are taken. The same call gives the same bits;
 * beside other texts, or on the other runtime, a number may differ by 1e-5 at most (more with weights of 8 bits or fewer).
 * Calls wait for each other, in order. The small files of a folder are read here, because the manifest is fixed.
 * Errors: `E_CONFIG` for options here; `E_STORAGE`, `E_CONFIG`, `E_DIMENSION`, `E_ABORTED` from `open`; `E_INVALID`,
 * `E_NOT_OPEN`, `E_ABORTED`, `E_STORAGE` from `embed`.
 */
export function createLocalEmbedder(options: LocalEmbedderOptions = {}): EmbedderDriver {
  return createLocalEmbedderOver(() => loadTransformers(), options);
}

/** The same over any way to load the library that runs sentence transformers. */
export function createLocalEmbedderOver(
  load: TransformersLoader,
  options: LocalEmbedderOptions,
): EmbedderDriver {
  const settings = parseOptions(DRIVER, localEmbedderOptions, options);
  const source = sourceOf(settings.model);
  if (source.kind === 'bundled') {
    refuseTransformerOptions(settings);
    return createEmbedder(BUNDLED_MANIFEST, () => openBundled(settings, loadOnnx), settings.batchSize);
  }
  const description = describeModel(settings, source);
  return createEmbedder(description.manifest, () => openTransformer(description, load), settings.batchSize);
}

/** The driver over any way to open a model. `open` after `close` opens anew. */
export function createEmbedder<Window>(
  manifest: Readonly<EmbedderManifest>,
  open: () => Promise<SentenceModel<Window>>,
  batchSize: number,
): EmbedderDriver {
  const queue = createQueue();
  let current: Promise<SentenceModel<Window>> | undefined;
  return {
    kind: 'embedder',
    name: DRIVER,
    specVersion: 1,
    supports: manifest,

    // An abort ends the waiting: what is being opened is there for the next call, and `close` lets it go.
    async open(signal) {
      throwIfAborted(signal);
      const mine = (current ??= open());
      mine.catch(() => {
        if (current === mine) current = undefined; // so that the next call tries again
      });
      await unlessAborted(mine, signal);
    },

    async embed(texts, signal, purpose = 'document') {
      const mine = current;
      const checkpoint = (): void => {
        throwIfAborted(signal);
        if (mine === undefined || current !== mine) throw notOpen();
      };
      checkpoint();
      refuseEmpty(DRIVER, texts);
      const request = { texts: [...texts], purpose, dimension: manifest.dimension, batchSize };
      return queue(async () => {
        checkpoint();
        return mine === undefined ? [] : embedTexts(await mine, request, checkpoint);
      });
    },

    // Work that is under way stops at its next checkpoint; only then is the model let go.
    async close() {
      const mine = current;
      current = undefined;
      await queue(async () => {
        const model = await mine?.catch(() => undefined); // a failed `open` has told its caller
        await model?.close();
      });
    },
  };
}

function notOpen(): PagefaultError {
  return new PagefaultError('E_NOT_OPEN', `${DRIVER} is not open`, {
    driver: DRIVER,
    hint: 'call open() first, and embed() before close()',
  });
}
