import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import type { Weights } from '../model/weights.js';
import type { Runtime } from '../runtime.js';
import { createPlainEncoder } from './encoder.js';

/** The runtime without native code: some thirty times slower. Other work of the process runs between windows. */
export function openPlainRuntime(weights: Weights): Runtime {
  const encode = createPlainEncoder(weights);
  return {
    name: 'plain',
    async run(windows, checkpoint) {
      const vectors: Float32Array[] = [];
      for (const window of windows) {
        await nextTurnOfTheLoop();
        checkpoint();
        vectors.push(encode(window));
      }
      return vectors;
    },
    async close() {}, // nothing but memory
  };
}
