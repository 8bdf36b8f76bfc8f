import type { Pid } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { fifo, type PagingPolicy } from '../../src/index.js';
import { POLICIES } from '../../src/policy/registry.js';
import { createWorld, marker, obedient, sentence, tracesIn } from '../support/erasing.js';
import { keptOpen } from '../support/recall.js';
import { answers, startKernel, startProcesses } from '../support/stack.js';
import { tracedRecall } from '../support/traces.js';
import { textOf } from '../support/words.js';

const startProcess = startProcesses();

const SMALL = { window: 6_000, script: { window: 6_000, maxOutput: 400 } };
/** More than the window holds. */
const FILLING = Array.from({ length: 12 }, (_, n) => ({ text: textOf(500, `rain${n}`) }));

describe('of an erased message nothing is left in', () => {
  it('the inbox, where it waited; it is not served later', async () => {
    const world = createWorld(keptOpen(createMemoryRecall()));
    const { process, processor } = await startProcess(world);
    await process.mask('device');
    await process.post({ kind: 'device', id: 'secret', text: sentence(1), coalesce: 'gate' });
    await process.post({ kind: 'device', id: 'other', text: sentence(2) });
    expect((await process.erase({ messages: ['secret'] })).erased).toMatchObject({ messages: 0, waiting: 1 });
    expect(await tracesIn(world, marker(1))).toEqual([]);
    await process.unmask('device');
    expect(JSON.stringify(processor.requests)).not.toContain(marker(1));
    expect(JSON.stringify(processor.requests)).toContain(marker(2));
    expect(await world.recall.load(process.pid, ['inbox', 'coalescing'])).toEqual([]);
  });

  it('the stored answer to it, when the answer is erased too; that it was delivered stays known', async () => {
    const recall = tracedRecall(createMemoryRecall());
    const { process, log } = await startProcess({ recall, replies: answers });
    const input = { id: 'secret', text: `${marker(1)} is the code` };
    expect((await process.send(input)).text).toContain(marker(1));
    const said = (await log()).find(({ message }) => message.role === 'assistant')?.message.id ?? '';
    const report = await process.erase({ messages: ['secret', said] });
    expect(report.erased).toMatchObject({ messages: 2, answers: 1 });
    expect(await recall.tracesOf(marker(1))).toEqual([]);
    // A sender who tries again does not bring it back.
    expect((await process.send(input)).text).toBe('');
    expect(await recall.tracesOf(marker(1))).toEqual([]);
  });

  it('earlier values of blocks, nor in the prefix that shows one', async () => {
    const recall = tracedRecall(createMemoryRecall());
    const { kernel } = await startKernel({ recall, replies: obedient });
    const process = await kernel.spawn({ blocks: [{ name: 'human', value: sentence(1) }] });
    await process.send({ id: 'secret', text: sentence(1) });
    await process.blocks.set('human', 'Rests.');
    const before = (await recall.tracesOf(marker(1))).join();
    for (const space of ['block-history', 'state/rendered']) expect(before).toContain(`row ${space}`);
    expect((await process.erase({ messages: ['secret'] })).erased.blockValues).toBe(1);
    expect(await recall.tracesOf(marker(1))).toEqual([]);
    await expect(process.blocks.undo('human')).rejects.toMatchObject({ code: 'E_BLOCK' });
    await kernel.close();
  });

  it('the notes of the kernel on edits of blocks, which quote it', async () => {
    const recall = tracedRecall(createMemoryRecall());
    const { process, texts } = await startProcess({ recall, replies: obedient });
    await process.send({ id: 'secret', text: sentence(1) });
    await process.blocks.set('human', sentence(1));
    await process.send('hello');
    await process.blocks.set('human', 'Rests.');
    expect((await texts()).filter((text) => text.includes(marker(1)))).toHaveLength(2);
    const report = await process.erase({ messages: ['secret'] });
    expect(report.erased).toMatchObject({ messages: 1, copies: 1, blockValues: 1 });
    expect(await recall.tracesOf(marker(1))).toEqual([]);
  });

  it('the summary and its facts, which are made again of what is left', async () => {
    const recall = tracedRecall(createMemoryRecall());
    const { process } = await startProcess({ ...SMALL, recall, replies: obedient });
    const address = (n: number) => `Write to ${marker(n)}@barn.example.`;
    await process.append([{ id: 'secret', text: address(1) }, { text: address(2) }, ...FILLING]);
    const before = (await process.map()).summary;
    expect(JSON.stringify(before)).toContain(marker(1));
    expect(await process.erase({ messages: ['secret'] })).toMatchObject({
      done: true,
      summary: 'made-again',
    });
    expect(await recall.tracesOf(marker(1))).toEqual([]);
    const after = (await process.map()).summary;
    expect(JSON.stringify(after)).toContain(marker(2));
    expect(after.messages).toBe(before.messages - 1);
  });

  it('the pins, nor among the speakers', async () => {
    const { process, recall } = await startProcess({ replies: obedient });
    await process.append([{ id: 'secret', text: sentence(1), name: 'Ada' }]);
    await process.send('hello');
    await process.pin('m1');
    const pins = async () => {
      const head = (await recall.load(process.pid, ['state'])).find(({ key }) => key === 'head')?.value;
      return (head as { readonly pins?: { readonly pages: readonly number[] } }).pins?.pages ?? [];
    };
    expect(await pins()).toHaveLength(1);
    await process.erase({ messages: ['secret'] });
    expect(await pins()).toEqual([]);
    await expect(process.unpin('m1')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(process.erase({ speaker: 'Ada' })).rejects.toMatchObject({ hint: 'speakers: none' });
  });
});

describe('a paging policy', () => {
  it.each(Object.entries(POLICIES))('%s keeps nothing of it, resident or evicted', async (_, policy) => {
    const recall = tracedRecall(createMemoryRecall());
    const { kernel, process } = await startProcess({ ...SMALL, recall, policy, replies: obedient });
    await process.append([{ id: 'early', text: sentence(1) }, ...FILLING, { id: 'late', text: sentence(2) }]);
    await kernel.passivate();
    expect(await process.erase({ messages: ['early', 'late'] })).toMatchObject({
      summary: 'made-again',
      erased: { pages: 1 },
    });
    await kernel.passivate();
    for (const n of [1, 2]) expect(await recall.tracesOf(marker(n))).toEqual([]);
  });

  it('is told of each page that lost a message, also of one that left before', async () => {
    const told: unknown[] = [];
    const policy = (): PagingPolicy => {
      const base = fifo();
      const onResidency: PagingPolicy['onResidency'] = (id, now, cause) => {
        if (cause === 'erasure') told.push([id, now]);
        base.onResidency(id, now, cause);
      };
      return new Proxy(base, {
        get: (target, key) => {
          if (key === 'onResidency') return onResidency;
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    };
    const { process, log } = await startProcess({ ...SMALL, policy, replies: obedient });
    await process.append([{ id: 'early', text: sentence(1) }, ...FILLING, { id: 'late', text: sentence(2) }]);
    const pageOf = async (id: string) => (await log()).find(({ message }) => message.id === id)?.page;
    const pages = [await pageOf('early'), await pageOf('late')];
    await process.erase({ messages: ['early', 'late'] });
    expect(told).toEqual(pages.map((page) => [page, 'evicted']));
  });

  it('of before, that ran the process once, leaves no snapshot', async () => {
    const recall = keptOpen(createMemoryRecall());
    const first = await startKernel({ recall, replies: obedient, policy: POLICIES.arc });
    const { pid }: { pid: Pid } = await first.kernel.spawn();
    await (await first.kernel.open(pid)).send({ id: 'secret', text: sentence(1) });
    await first.kernel.close();
    const second = await startKernel({ recall, replies: obedient });
    await (await second.kernel.open(pid)).erase({ messages: ['secret'] });
    expect((await recall.load(pid, ['policy'])).map(({ key }) => key)).toEqual(['fifo']);
    await second.kernel.close();
  });
});

describe('a fork', () => {
  it('loses the documents that it read where its parent erased them', async () => {
    const world = createWorld(keptOpen(createMemoryRecall()));
    const { process } = await startProcess(world);
    await process.mapDocument({ name: 'barn', text: sentence(1) });
    const fork = await process.fork();
    await fork.send('read barn');
    const report = await process.erase({ source: 'barn' });
    expect(report.descendants).toMatchObject([{ done: true, erased: { copies: 1, documents: 1 } }]);
    expect(await fork.documents()).toEqual([]);
    expect(await tracesIn(world, marker(1))).toEqual([]);
  });
});
