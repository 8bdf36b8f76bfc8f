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
  const native = settings.runtime === 'plain' ? undefined : await openNative(weights, settings, loadOnnx);
  return { vocabulary, runtime: native ?? openPlainRuntime(await readWeights(weights)) };
}

/** Undefined when it cannot be had and need not be. */
async function openNative(
  weights: WeightsPackage,
  settings: LocalEmbedderSettings,
  loadOnnx: OnnxLoader,
): Promise<Runtime | undefined> {
  const onnx = await loadOnnx().catch((cause: unknown) => goWithout(settings, 'cannot be loaded', cause));
  if (onnx === undefined) return undefined;
  const graph = await graphOf(weights, settings);
  return openOnnxRuntime(onnx, graph, settings.threads).catch((cause: unknown) =>
    goWithout(settings, 'cannot run the model', cause),
  );
}

function goWithout(settings: LocalEmbedderSettings, problem: string, cause: unknown): undefined {
  if (settings.runtime === 'onnx') {
    throw new PagefaultError('E_CONFIG', `${DRIVER}.runtime is 'onnx', but onnxruntime-node ${problem}`, {
      driver: DRIVER,
      hint: "npm install onnxruntime-node, or set runtime: 'auto'",
      cause,
    });
  }
  const warning = new PagefaultError(
    'E_UNSUPPORTED',
    `${DRIVER}: onnxruntime-node ${problem}, so embedding is some thirty times slower`,
    { driver: DRIVER, hint: "npm install onnxruntime-node, or set runtime: 'plain' if this is meant", cause },
  );
  settings.onWarning(warning);
  return undefined;
}

async function graphOf(weights: WeightsPackage, settings: LocalEmbedderSettings): Promise<Uint8Array> {
  const build = async (): Promise<Uint8Array> => buildEncoderGraph(await readWeights(weights));
  const stem = `use-lite-en-${weights.version}-r${GRAPH_REVISION}`;
  return cached(cacheFolder(settings.cacheDir), stem, build, settings.onWarning);
}
