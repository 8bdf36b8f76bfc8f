import { PagefaultError } from '@pagefault/contracts';
import type * as OnnxModule from 'onnxruntime-node';
import type { InferenceSession } from 'onnxruntime-node';
import { DIMENSION, DRIVER } from '../model/facts.js';
import type { Runtime } from '../runtime.js';

/** The optional dependency, once it was imported. */
export type Onnx = typeof OnnxModule;

/** The runtime of every machine for which onnxruntime ships a CPU library. Closing it frees the session. */
export async function openOnnxRuntime(onnx: Onnx, graph: Uint8Array, threads: number): Promise<Runtime> {
  const session = await onnx.InferenceSession.create(graph, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3, // errors only: its warnings go to stderr and are not about the user's text
  });
  return {
    name: 'onnx',
    run: (windows) => runBatch(onnx, session, windows),
    close: () => session.release(),
  };
}

async function runBatch(
  onnx: Onnx,
  session: InferenceSession,
  windows: readonly Int32Array[],
): Promise<readonly Float32Array[]> {
  const { vectors } = await session.run(pad(onnx, windows)).catch(failed);
  const numbers = vectors?.data as Float32Array;
  return windows.map((_, i) => numbers.slice(i * DIMENSION, (i + 1) * DIMENSION));
}

function pad(onnx: Onnx, windows: readonly Int32Array[]): InferenceSession.FeedsType {
  const tokens = Math.max(...windows.map((window) => window.length));
  const ids = new Int32Array(windows.length * tokens);
  const mask = new Float32Array(ids.length);
  windows.forEach((window, i) => {
    ids.set(window, i * tokens);
    mask.fill(1, i * tokens, i * tokens + window.length);
  });
  const sides = [windows.length, tokens];
  return { ids: new onnx.Tensor('int32', ids, sides), mask: new onnx.Tensor('float32', mask, sides) };
}

function failed(cause: unknown): never {
  throw new PagefaultError('E_STORAGE', `${DRIVER}: onnxruntime-node failed to run the model`, {
    driver: DRIVER,
    hint: "when it is short of memory, set a smaller batchSize; runtime: 'plain' does without it",
    cause,
  });
}
