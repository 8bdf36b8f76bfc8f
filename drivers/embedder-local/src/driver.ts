import { PagefaultError, type EmbedderDriver, type EmbedderManifest } from '@pagefault/contracts';
import { parseOptions, refuseEmpty } from '@pagefault/driver-kit';
import { throwIfAborted } from './abort.js';
import { embedTexts } from './embed.js';
import { DIMENSION, DRIVER, FINGERPRINT, MAX_TOKENS } from './model/facts.js';
import { openModel, type Model } from './model/open.js';
import { loadOnnx } from './onnx/load.js';
import { localEmbedderOptions, type LocalEmbedderOptions } from './options.js';
import { createQueue } from './queue.js';

const MANIFEST: Readonly<EmbedderManifest> = Object.freeze({
  dimension: DIMENSION,
  maxTokens: MAX_TOKENS,
  fingerprint: FINGERPRINT,
});

/**
 * Sentence embeddings in process, without network: Universal Sentence Encoder lite, 512 numbers a text. A text of
 * more than 128 tokens is cut into windows, whose vectors are averaged and brought to length 1; beyond 64 windows
 * evenly spaced ones are taken. The same call gives the same bits; beside other texts, or on the other runtime,
 * a number may differ by 1e-5 at most. Calls wait for each other, in order.
 * Errors: `E_CONFIG` for options here; `E_STORAGE`, `E_CONFIG`, `E_ABORTED` from `open`; `E_INVALID`, `E_NOT_OPEN`,
 * `E_ABORTED` from `embed`.
 */
export function createLocalEmbedder(options: LocalEmbedderOptions = {}): EmbedderDriver {
  const settings = parseOptions(DRIVER, localEmbedderOptions, options);
  return createEmbedder(() => openModel(settings, loadOnnx), settings.batchSize);
}

/** The driver over any way to open a model. `open` after `close` opens anew. */
export function createEmbedder(open: () => Promise<Model>, batchSize: number): EmbedderDriver {
  const queue = createQueue();
  let current: Promise<Model> | undefined;
  return {
    kind: 'embedder',
    name: DRIVER,
    specVersion: 1,
    supports: MANIFEST,

    async open(signal) {
      throwIfAborted(signal);
      const mine = (current ??= open());
      await mine.catch((error: unknown) => {
        if (current === mine) current = undefined; // so that the next call tries again
        throw error;
      });
    },

    async embed(texts, signal) {
      const mine = current;
      const checkpoint = (): void => {
        throwIfAborted(signal);
        if (mine === undefined || current !== mine) throw notOpen();
      };
      checkpoint();
      refuseEmpty(DRIVER, texts);
      const asked = [...texts];
      return queue(async () => {
        checkpoint();
        return mine === undefined ? [] : embedTexts(await mine, asked, batchSize, checkpoint);
      });
    },

    // Work that is under way stops at its next checkpoint; only then is the model let go.
    async close() {
      const mine = current;
      current = undefined;
      await queue(async () => {
        const model = await mine?.catch(() => undefined); // a failed `open` has told its caller
        await model?.runtime.close();
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
