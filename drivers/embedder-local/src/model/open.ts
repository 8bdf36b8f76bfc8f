import { PagefaultError } from '@pagefault/contracts';
import { cached, cacheFolder } from '../onnx/cache.js';
import { buildEncoderGraph, GRAPH_REVISION } from '../onnx/encoder.js';
import { openOnnxRuntime, type Onnx } from '../onnx/runtime.js';
import type { LocalEmbedderSettings } from '../options.js';
import { openPlainRuntime } from '../plain/runtime.js';
import type { Runtime } from '../runtime.js';
import { readVocabulary, type PieceNode } from '../text/vocabulary.js';
import { DRIVER } from './facts.js';
import { locateWeights, type WeightsPackage } from './package.js';
import { readWeights } from './weights.js';

/** All that embedding takes. */
export interface Model {
  readonly vocabulary: PieceNode;
  readonly runtime: Runtime;
}

/** Imports the optional dependency; rejects when it is absent or has no library for this machine. */
export type OnnxLoader = () => Promise<Onnx>;

/** Errors: `E_STORAGE` when the weights cannot be read; `E_CONFIG` when `runtime: 'onnx'` cannot be had. */
export async function openModel(settings: LocalEmbedderSettings, loadOnnx: OnnxLoader): Promise<Model> {
  const weights = await locateWeights();
  const vocabulary = await readVocabulary(weights);
  const onnx = settings.runtime === 'plain' ? undefined : await tryOnnx(settings, loadOnnx);
  const runtime =
    onnx === undefined
      ? openPlainRuntime(await readWeights(weights))
      : await openOnnxRuntime(onnx, await graphOf(weights, settings), settings.threads);
  return { vocabulary, runtime };
}

async function tryOnnx(settings: LocalEmbedderSettings, loadOnnx: OnnxLoader): Promise<Onnx | undefined> {
  try {
    return await loadOnnx();
  } catch (cause) {
    if (settings.runtime === 'onnx') {
      const hint = "npm install onnxruntime-node, or set runtime: 'auto'";
      throw new PagefaultError('E_CONFIG', `${DRIVER}.runtime: onnxruntime-node cannot be loaded`, {
        driver: DRIVER,
        hint,
        cause,
      });
    }
    const hint = "npm install onnxruntime-node, or set runtime: 'plain' to say that this is meant";
    warn(settings, 'onnxruntime-node cannot be loaded: embedding is about forty times slower', hint, cause);
    return undefined;
  }
}

async function graphOf(weights: WeightsPackage, settings: LocalEmbedderSettings): Promise<Uint8Array> {
  const build = async (): Promise<Uint8Array> => buildEncoderGraph(await readWeights(weights));
  const stem = `use-lite-en-${weights.version}-r${GRAPH_REVISION}`;
  const hint =
    'set cacheDir or PAGEFAULT_CACHE_DIR to a folder that can be written; each start is slower without';
  return cached(cacheFolder(settings.cacheDir), stem, build, (message, cause) =>
    warn(settings, message, hint, cause),
  );
}

function warn({ onWarning }: LocalEmbedderSettings, message: string, hint: string, cause: unknown): void {
  onWarning(new PagefaultError('E_UNSUPPORTED', `${DRIVER}: ${message}`, { driver: DRIVER, hint, cause }));
}
