import type { Checkpoint } from './sentence-model.js';

/** What runs the bundled encoder. Both runtimes give the same numbers within 1e-5. */
export interface Runtime {
  readonly name: 'onnx' | 'plain';
  /** One vector of length 1 for each window of 1 to 128 token ids, in order. Asks `checkpoint` whenever it yields. */
  run(windows: readonly Int32Array[], checkpoint: Checkpoint): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
