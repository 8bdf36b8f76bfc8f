/** The driver over a runtime that knows words alone, as the suite of embedders wants it: it takes no time. */
import type { EmbedderInstance } from '@pagefault/conformance';
import type { EmbedPurpose } from '@pagefault/contracts';
import { BUNDLED_MANIFEST, bundledModel } from '../src/bundled.js';
import { createEmbedder } from '../src/driver.js';
import { DIMENSION } from '../src/model/facts.js';
import type { Runtime } from '../src/runtime.js';
import type { PieceNode } from '../src/text/vocabulary.js';

/** Batches of four, so that there are many; and a prompt for questions. */
export function instanceOn(vocabulary: PieceNode): EmbedderInstance {
  let sessions = 0;
  const close = async (): Promise<void> => void (sessions -= 1);
  const run: Runtime['run'] = async (windows) => windows.map(countTokens);
  const open = async () => {
    sessions += 1;
    const model = bundledModel({ vocabulary, runtime: { name: 'plain', run, close } });
    return {
      ...model,
      cut: (text: string, purpose: EmbedPurpose) =>
        model.cut(purpose === 'query' ? `question: ${text}` : text, purpose),
    };
  };
  return { driver: createEmbedder(BUNDLED_MANIFEST, open, 4), held: () => sessions };
}

/** One direction a token, of length 1. */
function countTokens(window: Int32Array): Float32Array {
  const vector = new Float32Array(DIMENSION);
  for (const id of window) vector[id % DIMENSION] = (vector[id % DIMENSION] ?? 0) + 1;
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}
