import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordIntoFolder } from '../../src/index.js';
import { createWorld, marker, obedient, sentence, tracesIn } from '../support/erasing.js';
import { keptOpen } from '../support/recall.js';
import { startProcesses } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';

const startProcess = startProcesses();

onEachStore('the erasure of a source', (createRecall) => {
  it('takes its passages, the document of its name, and the windows that were read of both', async () => {
    const world = createWorld(keptOpen(createRecall()));
    const { process } = await startProcess(world);
    await process.archive([
      { text: sentence(1), source: 'barn' },
      { text: sentence(2), source: 'stable' },
    ]);
    await process.mapDocument({ name: 'barn', text: sentence(3) });
    await process.send('read barn');
    await process.send('look-up barn1 password');
    const report = await process.erase({ source: 'barn' });
    expect(report).toMatchObject({ done: true, erased: { passages: 1, documents: 1, copies: 2 } });
    for (const n of [1, 3]) expect(await tracesIn(world, marker(n))).toEqual([]);
    expect((await process.search({ collection: 'passages', query: marker(2) })).total).toBe(1);
    expect(await process.documents()).toEqual([]);
  });

  it('takes windows of texts that had its name before, also when they were read by their handle', async () => {
    const world = createWorld(keptOpen(createRecall()));
    const { process } = await startProcess(world);
    const old = await process.mapDocument({ name: 'barn', text: sentence(1) });
    await process.send(`read ${old.handle}`);
    await process.send('read ');
    await process.mapDocument({ name: 'barn', text: sentence(2) });
    await process.send('read barn');
    await process.unmapDocument('barn');
    const report = await process.erase({ source: 'barn' });
    expect(report).toMatchObject({ done: true, erased: { documents: 2, copies: 2 } });
    for (const n of [1, 2]) expect(await tracesIn(world, marker(n))).toEqual([]);
  });

  it('takes texts that were unmapped or replaced while forks read them, also when they read them no more', async () => {
    const world = createWorld(keptOpen(createRecall()));
    const { process } = await startProcess(world);
    await process.mapDocument({ name: 'barn', text: sentence(1) });
    const first = await process.fork();
    await process.mapDocument({ name: 'barn', text: sentence(2) });
    await process.fork();
    await process.mapDocument({ name: 'barn', text: sentence(3) });
    await process.unmapDocument('barn');
    await first.unmapDocument('barn');
    const report = await process.erase({ source: 'barn' });
    expect(report).toMatchObject({ done: true, erased: { documents: 2 } });
    for (const n of [1, 2, 3]) expect(await tracesIn(world, marker(n))).toEqual([]);
  });
});

describe('recordings in files', () => {
  it('are deleted, those of other processes are not, and a new one begins', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pagefault-'));
    const texts = async () =>
      (await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))).join();
    try {
      const { kernel, process } = await startProcess({ record: recordIntoFolder(folder), replies: obedient });
      const other = await kernel.spawn();
      await process.send({ id: 'secret', text: sentence(1) });
      await other.send(sentence(2));
      await kernel.passivate();
      expect(await texts()).toContain(marker(1));
      const report = await process.erase({ messages: ['secret'] });
      // One of the first attachment, one of that for the erasure.
      expect(report.recordings).toMatchObject({
        deleted: [expect.any(String), expect.any(String)],
        elsewhere: [],
      });
      await process.send('hello');
      await kernel.passivate();
      expect(await texts()).not.toContain(marker(1));
      expect(await texts()).toContain(marker(2));
      expect((await readdir(folder)).filter((name) => name.startsWith(process.pid))).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
