/** What the kernel asks vectors for. */
import { createMemoryArchival } from '@pagefault/driver-memory';
import type { EmbedderDriver, EmbedPurpose } from '@pagefault/contracts';
import { expect, it } from 'vitest';
import { themeEmbedder } from '../support/embedding.js';
import { startKernel } from '../support/stack.js';

it('asks for the vectors of messages and passages as documents, and of a search as a query', async () => {
  const base = themeEmbedder();
  const asked: [EmbedPurpose | undefined, readonly string[]][] = [];
  const embedder: EmbedderDriver = {
    ...base,
    embed: (texts, signal, purpose) => {
      asked.push([purpose, texts]);
      return base.embed(texts, signal);
    },
  };
  const { kernel } = await startKernel({ embedder, archival: createMemoryArchival({ dimension: 4 }) });
  const process = await kernel.spawn();
  await process.append([{ text: 'The alpaca is called Dolly.' }]);
  await kernel.settle();
  expect(asked.map(([purpose]) => purpose)).toEqual(['document']);
  await process.search({ collection: 'messages', query: 'animals' });
  expect(asked.at(-1)).toEqual(['query', ['animals']]);
  await kernel.close();
});
