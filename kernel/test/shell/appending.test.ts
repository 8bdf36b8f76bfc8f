import { PagefaultError, type RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { expect, it } from 'vitest';
import { startKernel } from '../support/stack.js';

const talk = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `m${from + i}`,
    role: 'user' as const,
    text: `number ${from + i}`,
  }));

it('tells of no appended message that the store refused with the rest of its batch', async () => {
  const memory = createMemoryRecall();
  let isFull = false;
  const recall: RecallDriver = {
    ...memory,
    commit: (commit, signal) =>
      isFull && (commit.appends?.length ?? 0) > 0
        ? Promise.reject(new PagefaultError('E_DATA_DIR', 'disk full', { hint: 'free some space' }))
        : memory.commit(commit, signal),
  };
  const { kernel } = await startKernel({ recall });
  const agent = await kernel.spawn({ name: 'ada' });
  let told = 0;
  kernel.bus.on('turn-result', () => (told += 1));
  await agent.append(talk(1, 20));
  expect(told).toBe(20);
  isFull = true;
  await expect(agent.append(talk(21, 20))).rejects.toMatchObject({ code: 'E_DATA_DIR' });
  expect(told).toBe(20);
  isFull = false;
  expect(await agent.append(talk(11, 30))).toEqual({ appended: 20, skipped: 10 });
  expect(told).toBe(40);
});
