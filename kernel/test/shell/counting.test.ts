import { createMemoryRecall } from '@pagefault/driver-memory';
import { createReflexProcessor } from '@pagefault/driver-processor-scripted';
import { expect, it } from 'vitest';
import { boot } from '../../src/index.js';

it('counts each part once: what a turn costs does not grow with the queue (gap 8)', async () => {
  const driver = createReflexProcessor({ window: 32_768 });
  let counted = 0;
  const count: typeof driver.count = (pieces, signal) => {
    counted += pieces.filter(({ kind }) => kind === 'message').length;
    return driver.count(pieces, signal);
  };
  await using kernel = await boot({ recall: createMemoryRecall(), processor: { ...driver, count } });
  const process = await kernel.spawn();
  const costs: number[] = [];
  for (let turn = 0; turn < 30; turn++) {
    counted = 0;
    await process.send(`Hello number ${turn}.`);
    costs.push(counted);
  }
  expect((await process.map()).pages.length).toBeGreaterThan(50);
  expect(new Set(costs.slice(1)).size).toBe(1);
});
