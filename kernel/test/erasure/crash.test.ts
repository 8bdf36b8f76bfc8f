import type { RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/index.js';
import { createWorld, ghosts, marker, sentence, tracesIn, type World } from '../support/erasing.js';
import { FaultInjector, FAULTS } from '../support/faults.js';
import { keptOpen } from '../support/recall.js';
import { startKernel } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';
import { textOf } from '../support/words.js';

const OPTIONS = { window: 6_000, script: { window: 6_000, maxOutput: 400 } };

/** A root with copies, a summary, a stored passage and a fork that copied too. */
async function lived(recall: RecallDriver) {
  const world = createWorld(keptOpen(recall));
  const { kernel } = await startKernel({ ...OPTIONS, ...world });
  const root = await kernel.spawn();
  await root.send({ id: 'secret', text: sentence(1) });
  await root.send('find barn1 password');
  const fork = await root.fork();
  await fork.send('show m1');
  await root.append([{ text: textOf(900, 'rain') }, { text: textOf(900, 'hail') }, { text: sentence(2) }]);
  await kernel.settle();
  await kernel.close();
  return { world, pids: [root.pid, fork.pid], root: root.pid };
}

/** Does `erase` on a kernel to which something happens. Whether it was told to be done. */
async function eraseOn(
  world: World,
  recall: RecallDriver,
  erase: (kernel: Kernel) => Promise<{ readonly done: boolean }>,
): Promise<boolean> {
  const { kernel } = await startKernel({ ...OPTIONS, ...world, recall });
  const { done } = await erase(kernel).catch(() => ({ done: false }));
  await kernel.close().catch(() => undefined);
  return done;
}

/** Dies at its n-th write, from 0: before it is done, or right after. */
function dying(base: RecallDriver, at: number, when: 'before' | 'after') {
  let writes = 0;
  let isDead = false;
  const unlessDead = <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) => {
    return async (...args: Args) => {
      if (isDead) throw new Error('killed');
      return work(...args);
    };
  };
  const write = <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    unlessDead(async (...args: Args) => {
      isDead = writes++ === at;
      if (isDead && when === 'before') throw new Error('killed');
      const result = await work(...args);
      if (isDead) throw new Error('killed');
      return result;
    });
  const recall: RecallDriver = {
    ...base,
    commit: write(base.commit),
    erase: write(base.erase),
    load: unlessDead(base.load),
    get: unlessDead(base.get),
    read: unlessDead(base.read),
    scan: unlessDead(base.scan),
  };
  return { recall, hasDied: () => isDead };
}

/** One that was begun is finished by the next kernel; one that was not can be begun then. */
async function checkFinished(
  { world, pids, root }: Awaited<ReturnType<typeof lived>>,
  wasDone: boolean,
): Promise<void> {
  const { kernel } = await startKernel({ ...OPTIONS, ...world });
  const wasBegun = (await world.recall.scan('erasures', { limit: 10 })).items.length > 0;
  await kernel.resumeErasures();
  if (!wasBegun && !wasDone && (await tracesIn(world, marker(1))).length > 0)
    expect((await (await kernel.open(root)).erase({ messages: ['secret'] })).done).toBe(true);
  expect(await tracesIn(world, marker(1))).toEqual([]);
  expect((await world.recall.scan('erasures', { limit: 10 })).items).toEqual([]);
  await kernel.settle();
  expect(await ghosts(world, pids)).toEqual([]);
  for (const pid of pids) expect((await (await kernel.open(pid)).send('hello')).outcome).toBe('answered');
  const found = await (await kernel.open(root)).search({ collection: 'messages', query: marker(2) });
  expect(JSON.stringify(found.hits)).toContain(marker(2));
  await kernel.close();
}

const eraseSecret = (root: string) => async (kernel: Kernel) =>
  (await kernel.open(root)).erase({ messages: ['secret'] });

describe('an erasure that is killed', () => {
  it.each(['before', 'after'] as const)(
    '%s any of its writes is finished by the next kernel (B37)',
    async (when) => {
      let at = 0;
      for (let died = true; died; at++) {
        const life = await lived(createMemoryRecall());
        const { recall, hasDied } = dying(life.world.recall, at, when);
        const done = await eraseOn(life.world, recall, eraseSecret(life.root));
        died = hasDied();
        await checkFinished(life, done);
      }
      // The job, the fork's, the log, main context, the policy, the vectors.
      expect(at).toBeGreaterThan(6);
    },
  );

  it('at any write of the erasure of a family can be done again, and leaves nothing', async () => {
    let at = 0;
    for (let died = true; died; at++) {
      const { world, root } = await lived(createMemoryRecall());
      const { recall, hasDied } = dying(world.recall, at, 'after');
      await eraseOn(world, recall, (kernel) => kernel.erase(root, { cascade: true }));
      died = hasDied();
      const { kernel } = await startKernel({ ...OPTIONS, ...world });
      await kernel.resumeErasures();
      if ((await kernel.list()).length > 0)
        expect((await kernel.erase(root, { cascade: true })).done).toBe(true);
      expect(await world.recall.leftovers()).toEqual([]);
      for (const n of [1, 2]) expect(await tracesIn(world, marker(n))).toEqual([]);
      await expect(kernel.erase(root)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
      await kernel.close();
    }
    expect(at).toBeGreaterThan(4);
  });
});

onEachStore('an erasure with one fault at any effect', (createRecall) => {
  it('is finished by the next kernel, and nothing else is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FAULTS), fc.nat(60), async (fault, at) => {
        const life = await lived(createRecall());
        const recall = new FaultInjector(fault, at).recall(life.world.recall);
        const done = await eraseOn(life.world, recall, eraseSecret(life.root));
        await checkFinished(life, done);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
