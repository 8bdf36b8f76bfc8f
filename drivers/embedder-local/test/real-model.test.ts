/** The suite on a real sentence transformer of yours, when there is one: its weights are not part of this repository. */
import { conformEmbedder } from '@pagefault/conformance';
import { expect, it } from 'vitest';
import { createLocalEmbedder } from '../src/index.js';
import { cosine } from './support.js';

const model = process.env['PAGEFAULT_EMBEDDER_MODEL_DIR'];

if (model === undefined || model === '') {
  it('is tested on a real model', ({ skip }) =>
    skip(
      'PAGEFAULT_EMBEDDER_MODEL_DIR is not set to the folder of a sentence transformer with its ONNX graph',
    ));
} else {
  const create = () => createLocalEmbedder({ model });
  conformEmbedder({
    name: `embedder-local on ${model}`,
    create: () => ({ driver: create() }),
    unopened: create,
    meaning: true,
  });

  it('finds the answer by the question', async () => {
    const embedder = create();
    await embedder.open();
    const [question] = await embedder.embed(['What animals does she keep?'], undefined, 'query');
    const answers = [
      'The meeting starts at noon.',
      'She keeps alpacas on a farm.',
      'Prices rose by four per cent.',
    ];
    const scores = (await embedder.embed(answers)).map((answer) => cosine(question, answer));
    await embedder.close();
    expect(scores.indexOf(Math.max(...scores))).toBe(1);
  });
}
