import { startOpenAIDouble, type EmbeddingsOptions, type OpenAIDouble } from '@pagefault/doubles';
import type { Timing } from '@pagefault/driver-kit';
import { afterEach } from 'vitest';
import { createOpenAIEmbedder, type OpenAIEmbedderOptions } from '../src/index.js';

const doubles: OpenAIDouble[] = [];
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close();
});

/** An open embedder on a server of its own; the server ends with the test. */
export async function embedderOn(
  embeddings: EmbeddingsOptions = {},
  options: OpenAIEmbedderOptions = {},
  apiKey = 'test-key',
) {
  const double = await startOpenAIDouble({ embeddings, apiKey: 'test-key' });
  doubles.push(double);
  const timing = instantTiming();
  const embedder = createOpenAIEmbedder({ baseURL: double.origin, apiKey, timing, ...options });
  await embedder.open();
  const inputs = () => double.requests.map(({ body }) => (body as { input: string[] }).input);
  return { double, embedder, inputs, slept: timing.slept };
}

/** Real time, but waits take none and are written down. */
function instantTiming(): Timing & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => Date.now(),
    random: () => 0,
    sleep: (span) => {
      slept.push(span);
      return Promise.resolve();
    },
  };
}

export function similarity(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return [...(a ?? [])].reduce((sum, each, at) => sum + each * (b?.[at] ?? 0), 0);
}
