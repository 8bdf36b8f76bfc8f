import { createLocalEmbedder } from '../src/index.js';

/**
 * Milliseconds a sentence by runtime, threads and batch size; a table, not a test. From the repository's root:
 * npx tsx --conditions=source drivers/embedder-local/bench/embed.ts
 */
const WORDS = 'the paged memory of an agent holds what was said about alpacas in Cork last winter'.split(' ');

/** Of 4 to 43 words, so that lengths vary as they do in a chat. */
function sentences(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: 4 + ((i * 7) % 40) }, (_, j) => WORDS[(i + j * 5) % WORDS.length]).join(' '),
  );
}

async function measure(
  runtime: 'onnx' | 'plain',
  threads: number,
  batchSize: number,
  count: number,
): Promise<void> {
  const embedder = createLocalEmbedder({ runtime, threads, batchSize });
  const before = performance.now();
  await embedder.open();
  const opened = performance.now();
  await embedder.embed(sentences(4));
  const warm = performance.now();
  await embedder.embed(sentences(count));
  const perSentence = (performance.now() - warm) / count;
  await embedder.close();
  const [open, each] = [(opened - before).toFixed(0), perSentence.toFixed(2)];
  console.log(`${runtime}\t${threads} threads\tbatch ${batchSize}\topen ${open} ms\t${each} ms/sentence`);
}

for (const threads of [1, 2]) {
  for (const batchSize of [1, 8, 32, 256]) await measure('onnx', threads, batchSize, 512);
}
await measure('plain', 1, 32, 32);
