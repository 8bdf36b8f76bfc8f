import type { ArchivalDriver } from '@pagefault/contracts';
import { createMemoryArchival, createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { createWorld, ghosts, marker, obedient, sentence, tracesIn } from '../support/erasing.js';
import { keptOpen } from '../support/recall.js';
import { gate, hasResults, lastUser, startKernel, startProcesses, tell } from '../support/stack.js';
import { sharedRecall } from '../support/vectors.js';

const startProcess = startProcesses();

/** An index whose removals go as they are told to. */
function indexThat(
  remove: (base: ArchivalDriver, ...args: Parameters<ArchivalDriver['remove']>) => Promise<void>,
) {
  const base = createMemoryArchival({ dimension: 4 });
  let isWell = false;
  const archival: ArchivalDriver = {
    ...base,
    close: async () => undefined,
    remove: (...args) => (isWell ? base.remove(...args) : remove(base, ...args)),
  };
  return { archival, heal: () => void (isWell = true) };
}

const FAILING: readonly (readonly [string, Parameters<typeof indexThat>[0], RegExp])[] = [
  [
    'does not answer',
    () => new Promise(() => undefined),
    /still in the archival index: it did not answer within 10 ms$/,
  ],
  [
    'fails',
    () => Promise.reject(new Error('no route to host')),
    /still in the archival index: .*no route to host/,
  ],
  [
    'forgets a part and fails',
    async (base, scope, ids) => {
      await base.remove(scope, ids === 'all' ? 'all' : ids.slice(0, 1));
      throw new Error('connection reset');
    },
    /still in the archival index: .*connection reset/,
  ],
];

describe.each(FAILING)('an index that %s', (_, remove, reason) => {
  it('leaves the erasure open, which says so, and the next kernel ends it (B37)', async () => {
    const { archival, heal } = indexThat(remove);
    const world = createWorld(keptOpen(createMemoryRecall()), archival);
    const options = { ...world, limits: { erasureWaitMs: 10 } };
    const first = await startKernel(options);
    const process = await first.kernel.spawn();
    await process.append([{ id: 'secret', text: sentence(1) }, { text: sentence(2) }]);
    await first.kernel.settle();
    const report = await process.erase({ messages: ['secret'] });
    expect(report).toMatchObject({ done: false, open: [expect.stringMatching(reason)] });
    // What is true is gone already.
    expect(await tracesIn(world, marker(1))).toEqual([]);
    expect((await world.recall.load(process.pid, ['erasures'])).length).toBe(1);
    expect((await process.send('hello')).outcome).toBe('answered');
    const closing = first.kernel.close();
    heal();
    if (!/not answer/.test(String(reason))) await closing;
    const second = await startKernel(options);
    const reports = await second.kernel.resumeErasures();
    expect(reports).toMatchObject([{ done: true, open: [], erased: { messages: 1, vectors: 1 } }]);
    expect(await ghosts(world, [process.pid])).toEqual([]);
    expect(await world.recall.load(process.pid, ['erasures'])).toEqual([]);
    await second.kernel.close();
  });

  it('leaves the erasure of a whole process open in the same way', async () => {
    const { archival, heal } = indexThat(remove);
    const world = createWorld(keptOpen(createMemoryRecall()), archival);
    const { kernel } = await startKernel({ ...world, limits: { erasureWaitMs: 10 } });
    const process = await kernel.spawn();
    const { pid } = process;
    await process.append([{ text: sentence(1) }]);
    await kernel.settle();
    expect(await kernel.erase(pid)).toMatchObject({ done: false, open: [expect.stringMatching(reason)] });
    expect(await tracesIn(world, marker(1))).toEqual([]);
    await expect(kernel.open(pid)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    heal();
    const second = await startKernel({ ...world, limits: { erasureWaitMs: 10 } });
    expect(await second.kernel.erase(pid)).toMatchObject({ done: true, open: [] });
    expect(await world.recall.leftovers()).toEqual([]);
    await second.kernel.close();
  });
});

describe('an erasure', () => {
  it('stays open on a kernel that has no index while the process has vectors', async () => {
    const world = createWorld(keptOpen(createMemoryRecall()));
    const { kernel } = await startKernel(world);
    const { pid } = await kernel.spawn();
    await (await kernel.open(pid)).append([{ id: 'secret', text: sentence(1) }]);
    await kernel.settle();
    await kernel.close();
    const { recall, replies } = world;
    const without = await startKernel({ recall, replies });
    const report = await (await without.kernel.open(pid)).erase({ messages: ['secret'] });
    expect(report).toMatchObject({ done: false, open: [expect.stringMatching(/this kernel has none/)] });
    await without.kernel.close();
    const withIndex = await startKernel(world);
    expect(await withIndex.kernel.resumeErasures()).toMatchObject([{ done: true }]);
    expect(await ghosts(world, [pid])).toEqual([]);
    await withIndex.kernel.close();
  });

  it('stays open while recordings cannot be deleted, and deletes them when they can', async () => {
    const world = createWorld(keptOpen(createMemoryRecall()));
    let isLocked = true;
    const record = {
      ...world.record,
      erase: async (pid: string) => {
        if (isLocked) throw new Error('file is locked');
        return world.record.erase(pid);
      },
    };
    const { kernel, process } = await startProcess({ ...world, record });
    await process.send({ id: 'secret', text: sentence(1) });
    const report = await process.erase({ messages: ['secret'] });
    expect(report).toMatchObject({
      done: false,
      open: ['recordings in memory could not be deleted: file is locked'],
    });
    expect(await tracesIn(world, marker(1))).toEqual([`recording of ${process.pid}`]);
    isLocked = false;
    expect(await kernel.resumeErasures()).toMatchObject([
      { done: true, recordings: { deleted: [process.pid] } },
    ]);
    expect(await tracesIn(world, marker(1))).toEqual([]);
  });

  it('done twice is harmless: the second finds nothing, and says so', async () => {
    const world = createWorld(keptOpen(createMemoryRecall()));
    const { process } = await startProcess(world);
    await process.send({ id: 'secret', text: sentence(1) });
    await process.send({ id: 'other', text: sentence(2) });
    const both = await Promise.allSettled([1, 2].map(() => process.erase({ messages: ['secret'] })));
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(process.erase({ messages: ['secret'] })).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      hint: expect.stringContaining('it may have been before') as string,
    });
    expect((await process.search({ collection: 'messages', query: marker(2) })).total).toBeGreaterThan(0);
    expect((await process.send('hello')).outcome).toBe('answered');
  });

  it.each([
    [{ messages: ['none'] }, /there is no message "none"/, /nothing was erased/],
    [{ passages: ['none'] }, /there is no passage "none"/, /nothing was erased/],
    [{ speaker: 'Bob' }, /there is no message of "Bob"/, /speakers: "Ada"/],
    [{ source: 'stable' }, /of the source "stable"/, /sources: "barn"/],
    [{ history: 'dreams' }, /there is no block "dreams"/, /there are: .*persona/],
  ] as const)('of what is not there (%j) is refused, and names what is', async (target, message, hint) => {
    const { process } = await startProcess({ replies: obedient });
    await process.append([{ text: sentence(1), name: 'Ada' }]);
    await process.archive([{ text: sentence(2), source: 'barn' }]);
    await expect(process.erase(target)).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      message: expect.stringMatching(message) as string,
      hint: expect.stringMatching(hint) as string,
    });
  });

  it.each([[{}], [{ messages: [] }], [{ speaker: '' }], [{ speaker: 'Ada', source: 'barn' }]])(
    'that does not say what (%j) is never one of everything (B35)',
    async (target) => {
      const { process } = await startProcess();
      await expect(process.erase(target as never)).rejects.toMatchObject({ code: 'E_INVALID' });
    },
  );

  it('waits for the turn that runs, and takes what it said too when that is meant', async () => {
    const [asked, answer] = [gate(), gate()];
    const world = createWorld(keptOpen(createMemoryRecall()));
    const { process } = await startProcess({
      ...world,
      replies: (request) => ({
        ...(tell(hasResults(request) ? 'Done.' : 'Noted.') as object),
        before: async () => {
          if (!lastUser(request).includes(marker(2))) return;
          asked.open();
          await answer.opened;
        },
      }),
    });
    await process.send({ id: 'first', text: sentence(1) });
    const running = process.send({ id: 'second', text: sentence(2) });
    await asked.opened;
    const erasing = process.erase({ messages: ['first', 'second'] });
    answer.open();
    expect((await running).outcome).toBe('answered');
    expect(await erasing).toMatchObject({ done: true, erased: { messages: 2 } });
    for (const n of [1, 2]) expect(await tracesIn(world, marker(n))).toEqual([]);
  });

  it('takes a message out of the inbox, and who waits for its answer is told', async () => {
    const { process } = await startProcess({ replies: obedient });
    await process.pause();
    const sending = process.send({ id: 'secret', text: sentence(1) });
    sending.catch(() => undefined);
    await expect
      .poll(
        async () => (await process.erase({ messages: ['secret'] }).catch(() => undefined))?.erased.waiting,
      )
      .toBe(1);
    await expect(sending).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});

describe('two kernels on one store', () => {
  it('only the one that runs the process erases from it; the other is refused, and nothing changes', async () => {
    const base = createMemoryRecall();
    const world = { ...createWorld(sharedRecall(base)) };
    const [a, b] = [await startKernel(world), await startKernel(world)];
    const process = await a.kernel.spawn();
    await process.append([{ id: 'secret', text: sentence(1), name: 'Ada' }]);
    const other = await b.kernel.open(process.pid);
    await expect(other.erase({ messages: ['secret'] })).rejects.toMatchObject({ code: 'E_LEASE_LOST' });
    await expect(b.kernel.erase(process.pid)).rejects.toMatchObject({ code: 'E_LEASE_LOST' });
    expect(await b.kernel.eraseSpeaker('Ada')).toMatchObject([{ done: false, pid: process.pid }]);
    expect(await tracesIn(world, marker(1))).not.toEqual([]);
    expect(await process.erase({ messages: ['secret'] })).toMatchObject({ done: true });
    await a.kernel.close();
    await b.kernel.close();
  });

  it('a fork that the other one runs keeps its copies until it is attached next, and the report says so', async () => {
    const world = createWorld(sharedRecall(createMemoryRecall()));
    const [a, b] = [await startKernel(world), await startKernel(world)];
    const root = await a.kernel.spawn();
    await root.send({ id: 'secret', text: sentence(1) });
    const { pid } = await root.fork();
    await a.kernel.passivate();
    const fork = await b.kernel.open(pid);
    await fork.send('show m1');
    const report = await root.erase({ messages: ['secret'] });
    expect(report).toMatchObject({ done: false, open: [expect.stringContaining(`fork ${pid} still has`)] });
    expect(await tracesIn(world, marker(1))).not.toEqual([]);
    await b.kernel.passivate();
    expect(await a.kernel.resumeErasures()).toMatchObject([{ pid, done: true }]);
    expect(await tracesIn(world, marker(1))).toEqual([]);
    expect((await (await a.kernel.open(pid)).send('hello')).outcome).toBe('answered');
    await a.kernel.close();
    await b.kernel.close();
  });
});
