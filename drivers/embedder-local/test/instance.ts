/** The driver over a runtime that knows words alone, as the suite of embedders wants it: it takes no time. */
import type { EmbedderInstance } from '@pagefault/conformance';
import { createEmbedder } from '../src/driver.js';
import { DIMENSION } from '../src/model/facts.js';
import type { Model } from '../src/model/open.js';
import type { PieceNode } from '../src/text/vocabulary.js';

/** Batches of four, so that there are many. */
export function instanceOn(vocabulary: PieceNode): EmbedderInstance {
  let sessions = 0;
  const open = async (): Promise<Model> => {
    sessions += 1;
    const close = async (): Promise<void> => void (sessions -= 1);
    return {
      vocabulary,
      runtime: { name: 'plain', run: async (windows) => windows.map(countTokens), close },
    };
  };
  return { driver: createEmbedder(open, 4), held: () => sessions };
}

/** One direction a token, of length 1. */
function countTokens(window: Int32Array): Float32Array {
  const vector = new Float32Array(DIMENSION);
  for (const id of window) vector[id % DIMENSION] = (vector[id % DIMENSION] ?? 0) + 1;
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}
