import { PagefaultError } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createReflexProcessor } from '@pagefault/driver-processor-scripted';
import { expect, it } from 'vitest';
import { boot, fallback } from '../../src/index.js';

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

it('tells once for a process and its processor, and not every turn, that bounds stand in for exact counts', async () => {
  const driver = createReflexProcessor({ window: 32_768 });
  const why = new PagefaultError('E_RATE_LIMITED', 'counting is exact, but 429');
  const count: typeof driver.count = (pieces, signal, onBounds) => {
    onBounds?.(why);
    return driver.count(pieces, signal);
  };
  const unsure = { ...driver, count };
  await using kernel = await boot({
    recall: createMemoryRecall(),
    processor: 'main',
    processors: { main: unsure, other: fallback([unsure, { ...unsure }]) },
  });
  const told: unknown[] = [];
  kernel.bus.on('exact-count-failed', (event) => void told.push(event));
  const [ada, bob] = [await kernel.spawn(), await kernel.spawn()];
  for (const agent of [ada, bob, ada]) {
    for (const text of ['Hello.', 'And again.']) await agent.send(text);
  }
  await ada.useProcessor('other');
  await ada.send('Once more.');
  const ofMain = { processor: 'main', error: why };
  expect(told).toEqual([
    { pid: ada.pid, ...ofMain },
    { pid: bob.pid, ...ofMain },
    { pid: ada.pid, processor: 'other', error: why },
  ]);
});

it('hears one of several members of a fallback', async () => {
  const driver = createReflexProcessor();
  const count: typeof driver.count = (pieces, signal, onBounds) => {
    onBounds?.(new PagefaultError('E_OVERLOADED', 'busy'));
    return driver.count(pieces, signal);
  };
  const both = fallback([
    { ...driver, count },
    { ...driver, count },
  ]);
  await both.open();
  let heard = 0;
  await both.count([{ kind: 'system', text: 'a' }], undefined, () => void (heard += 1));
  expect(heard).toBe(1);
});
