import { describe, expect, it } from 'vitest';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createReflexProcessor } from '@pagefault/driver-processor-scripted';
import { boot } from '../../src/index.js';

const passages = [
  { id: 'a', text: 'Alpacas like hay.', source: 'farm.md' },
  { id: 'b', text: 'The barn roof leaks.', source: 'farm.md' },
];

describe('archive', () => {
  it('stores a passage once by its id, also when a batch is given again or names it twice (C11)', async () => {
    await using kernel = await boot({ recall: createMemoryRecall(), processor: createReflexProcessor() });
    const process = await kernel.spawn();
    await process.archive([...passages, ...passages]);
    await process.archive(passages);
    const { total, hits } = await process.search({ collection: 'passages', query: 'alpacas hay' });
    expect(hits[0]).toMatchObject({ id: 'a', source: 'farm.md' });
    expect(total).toBe(2);
    expect((await process.map()).passages).toBe(2);
  });

  it('refuses an empty passage and stores nothing of its batch', async () => {
    await using kernel = await boot({ recall: createMemoryRecall(), processor: createReflexProcessor() });
    const process = await kernel.spawn();
    await expect(process.archive([...passages, { text: ' \n' }])).rejects.toMatchObject({
      code: 'E_INVALID',
    });
    expect((await process.map()).passages).toBe(0);
  });
});
