import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { createWorld, ghosts, marker, obedient, sentence, tracesIn } from '../support/erasing.js';
import { keptOpen } from '../support/recall.js';
import { twoProcesses } from '../support/shared.js';
import { gate, startKernel, startProcesses, tell } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';
import { tracedRecall } from '../support/traces.js';

const startProcess = startProcesses();

onEachStore('the erasure of a whole process', (createRecall) => {
  it('is refused while it has forks, naming them; with `cascade` they go before it', async () => {
    const world = createWorld(keptOpen(createRecall()));
    const { kernel } = await startKernel(world);
    const [root, other] = [await kernel.spawn({ name: 'root' }), await kernel.spawn()];
    await root.send(sentence(1));
    await other.send(sentence(2));
    const left = await root.fork({ name: 'left' });
    const right = await root.fork({ name: 'right' });
    const below = await left.fork({ name: 'below' });
    await below.send(sentence(3));
    await expect(kernel.erase(root.pid)).rejects.toMatchObject({
      code: 'E_CONFLICT',
      message: expect.stringMatching(
        new RegExp(`root .*has 2 forks.*left \\(${left.pid}\\).*right \\(${right.pid}\\)`),
      ) as string,
      hint: expect.stringContaining('cascade') as string,
    });
    expect((await kernel.list()).length).toBe(5);
    const report = await kernel.erase(root.pid, { cascade: true });
    expect(report).toMatchObject({
      whole: true,
      done: true,
      descendants: [{ pid: left.pid, descendants: [{ pid: below.pid }] }, { pid: right.pid }],
    });
    for (const n of [1, 3]) expect(await tracesIn(world, marker(n))).toEqual([]);
    expect(await ghosts(world, [root.pid, left.pid, right.pid, below.pid])).toEqual([]);
    // Another process has all that it had.
    expect((await kernel.list()).map(({ pid }) => pid)).toEqual([other.pid]);
    expect((await other.search({ collection: 'messages', query: marker(2) })).hits[0]?.id).toBeDefined();
    await kernel.close();
  });

  it('of a fork leaves its parent alone, which can be erased then', async () => {
    const world = createWorld(keptOpen(createRecall()));
    const { kernel } = await startKernel(world);
    const root = await kernel.spawn();
    await root.send(sentence(1));
    const fork = await root.fork();
    await fork.send(sentence(2));
    expect((await kernel.erase(fork.pid)).done).toBe(true);
    expect(await tracesIn(world, marker(2))).toEqual([]);
    expect(await world.recall.load(root.pid, ['children'])).toEqual([]);
    expect((await root.send('hello')).outcome).toBe('answered');
    expect((await kernel.erase(root.pid)).done).toBe(true);
    expect(await world.recall.leftovers()).toEqual([]);
    await kernel.close();
  });

  it('of what one person said reaches every process, and what forks copied of it', async () => {
    const world = createWorld(keptOpen(createRecall()));
    const { kernel } = await startKernel(world);
    const [a, b, c] = [await kernel.spawn(), await kernel.spawn(), await kernel.spawn()];
    await a.append([{ text: sentence(1), name: 'Ada' }]);
    const fork = await a.fork();
    await fork.send('show m1');
    await fork.append([{ text: sentence(2), name: 'Ada' }]);
    await b.append([
      { text: sentence(3), name: 'Ada' },
      { text: sentence(4), name: 'Bob' },
    ]);
    await c.append([{ text: sentence(5), name: 'Bob' }]);
    const reports = await kernel.eraseSpeaker('Ada');
    expect(reports.map(({ pid, done }) => [pid, done])).toEqual([a, b, fork].map(({ pid }) => [pid, true]));
    expect(reports[0]?.descendants).toMatchObject([{ pid: fork.pid, erased: { messages: 0, copies: 1 } }]);
    for (const n of [1, 2, 3]) expect(await tracesIn(world, marker(n))).toEqual([]);
    for (const n of [4, 5]) expect(await tracesIn(world, marker(n))).not.toEqual([]);
    await kernel.close();
  });
});

describe('a process that is erased', () => {
  it('has its turn stopped and its callers refused', async () => {
    const [asked, answer] = [gate(), gate()];
    const { kernel, process } = await startProcess({
      replies: () => ({
        ...(tell('Noted.') as object),
        before: async () => {
          asked.open();
          await answer.opened;
        },
      }),
    });
    const running = process.send('hello');
    const later = process.send('are you there?');
    running.catch(() => undefined);
    later.catch(() => undefined);
    await asked.opened;
    const erasing = kernel.erase(process.pid);
    answer.open();
    expect(await erasing).toMatchObject({ whole: true, done: true });
    await expect(later).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(process.send('and now?')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(kernel.erase(process.pid)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('leaves what it wrote into shared blocks, which the report names, and nothing else there', async () => {
    const recall = tracedRecall(createMemoryRecall());
    const { ada, bob, id, kernel } = await twoProcesses(startProcess, { recall });
    await ada.send('Tuesday: dip');
    await bob.send('Wednesday: rest');
    expect((await recall.load(id, ['shared-edits'])).length).toBe(2);
    expect(await kernel.erase(ada.pid)).toMatchObject({ done: true, sharedBlocks: [id] });
    expect((await recall.load(id, ['shared-edits'])).map(({ key }) => key)).toEqual([bob.pid]);
    const history = await kernel.sharedBlock(id).history();
    expect(history.map(({ by }) => by)).toEqual(['Grace', ada.pid, bob.pid]);
    expect((await bob.send('Thursday: rest')).text).toMatch(/^OK/);
  });
});

describe('a shared block', () => {
  it('that quotes an erased message in an earlier value is named', async () => {
    const { kernel, process } = await startProcess({ replies: obedient });
    const id = await kernel.createSharedBlock({ name: 'plan', value: sentence(1) });
    await process.blocks.attach(id);
    await process.send({ id: 'secret', text: sentence(1) });
    await kernel.sharedBlock(id).set('Rest.');
    await process.send('hello');
    expect((await process.erase({ messages: ['secret'] })).quotedBy.blocks).toEqual(['plan']);
  });
});
