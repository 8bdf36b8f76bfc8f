/** A store that was written without the index of vectors that is in use now. */
import { createMemoryArchival } from '@pagefault/driver-memory';
import type { RecallDriver } from '@pagefault/contracts';
import { afterEach, expect, it } from 'vitest';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import { themeEmbedder } from '../support/embedding.js';
import { startKernel, type StackOptions } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';

const open: Kernel[] = [];
afterEach(async () => {
  for (const kernel of open.splice(0)) await kernel.close();
});

async function boot(options: StackOptions): Promise<Kernel> {
  const { kernel } = await startKernel(options);
  open.push(kernel);
  return kernel;
}

const { fingerprint } = themeEmbedder().supports;
const formerScope = (pid: string) => `recall/${pid}/${fingerprint}`;
const scopeRows = async (recall: RecallDriver, pid: string) =>
  (await recall.load(pid, ['scopes'])).map(({ key }) => key).toSorted();
const nearest = async (process: Process | undefined, collection: 'messages' | 'passages' = 'messages') =>
  (await process?.search({ collection, query: 'wool' }))?.hits[0]?.text;

/** As the version before left it: messages with vectors of the plain form, and a row that says so. */
async function writtenBefore(recall: RecallDriver, archival = createMemoryArchival({ dimension: 4 })) {
  const kernel = await boot({ recall });
  const process = await kernel.spawn({ name: 'old' });
  await process.append([{ text: 'A boat came.' }, { text: 'Our herd grew.' }, { text: 'Bread again.' }]);
  await process.archive([{ text: 'Where ships lie.' }, { text: 'The animals of the farm.' }]);
  await kernel.close();
  await recall.open();
  await archival.open();
  const { pid } = process;
  await recall.commit({ pid, puts: [{ space: 'scopes', key: formerScope(pid), value: {} }] });
  const plain = [Float32Array.of(0, 1, 0, 0), Float32Array.of(0, 0, 1, 0)];
  await archival.upsert(
    formerScope(pid),
    plain.map((vector, i) => ({ id: `${i}`, vector, at: 0 })),
  );
  return { archival, pid };
}

onEachStore('a store of before', (createRecall) => {
  it('is indexed anew, in the form of now, and the vectors of the form before are removed', async () => {
    const recall = createRecall();
    const { archival, pid } = await writtenBefore(recall);
    const kernel = await boot({ recall, archival, embedder: themeEmbedder() });
    const process = await kernel.find('old');
    await process?.search({ collection: 'messages', query: 'wool' });
    await kernel.settle();
    expect(await nearest(process)).toBe('Our herd grew.');
    expect(await nearest(process, 'passages')).toBe('The animals of the farm.');
    expect(await archival.count(formerScope(pid))).toBe(0);
    expect(await scopeRows(recall, pid)).toEqual([
      `archive/${pid}/${fingerprint}`,
      `recall/${pid}/${fingerprint}/turns-2`,
    ]);
    expect(await recall.load(pid, ['outbox'])).toEqual([]);
  });

  it('is indexed once: not again after a restart', async () => {
    const recall = createRecall();
    const { archival } = await writtenBefore(recall);
    for (const texts of [5, 0]) {
      const embedder = themeEmbedder();
      const kernel = await boot({ recall, archival, embedder });
      const process = await kernel.find('old');
      await process?.append([]);
      await process?.search({ collection: 'messages', since: 0 });
      await kernel.settle();
      expect(embedder.texts).toHaveLength(texts);
      await kernel.close();
    }
  });

  it.each(['scopes', 'outbox'])(
    'is indexed by the next kernel when the first cannot write to %j',
    async (where) => {
      const recall = createRecall();
      const { archival } = await writtenBefore(recall);
      let failures = 0;
      const failing: RecallDriver = {
        ...recall,
        commit: async (commit, signal) => {
          const fails = commit.puts?.some(({ space }) => space === where) === true;
          if (fails && (failures += 1) <= 2) throw new Error('the disk is full');
          return recall.commit(commit, signal);
        },
      };
      const first = await boot({ recall: failing, archival, embedder: themeEmbedder() });
      const told: unknown[] = [];
      first.bus.on('index-failed', ({ error }) => told.push(error));
      await (await first.find('old'))?.search({ collection: 'messages', since: 0 });
      await first.settle();
      await first.close();
      expect(told.length).toBeGreaterThan(0);
      const second = await boot({ recall, archival, embedder: themeEmbedder() });
      await (await second.find('old'))?.search({ collection: 'messages', since: 0 });
      await second.settle();
      expect(await nearest(await second.find('old'))).toBe('Our herd grew.');
    },
  );

  it('is indexed for a fork under the process that wrote it', async () => {
    const recall = createRecall();
    const before = await boot({ recall });
    const parent = await before.spawn();
    await parent.append([{ text: 'Our herd grew.' }]);
    const child = await parent.fork();
    await child.append([{ text: 'A boat came.' }]);
    await parent.append([{ text: 'Sheep are animals too.' }]);
    await before.close();
    const archival = createMemoryArchival({ dimension: 4 });
    const kernel = await boot({ recall, archival, embedder: themeEmbedder() });
    const again = await kernel.open(child.pid);
    await again.search({ collection: 'messages', since: 0 });
    await kernel.settle();
    expect(await nearest(again)).toBe('Our herd grew.');
    const count = (pid: string) => archival.count(`${formerScope(pid)}/turns-2`);
    expect([await count(parent.pid), await count(child.pid)]).toEqual([2, 1]);
  });

  it('costs a new process nothing: each text is embedded once, and nothing waits', async () => {
    const recall = createRecall();
    const embedder = themeEmbedder();
    const archival = createMemoryArchival({ dimension: 4 });
    const kernel = await boot({ recall, archival, embedder });
    const process = await kernel.spawn();
    await process.append([{ text: 'Our herd grew.' }, { text: 'A boat came.' }]);
    await kernel.settle();
    await process.append([{ text: 'Bread again.' }]);
    await kernel.settle();
    expect(embedder.texts).toEqual(['Our herd grew.', 'A boat came.', 'Bread again.']);
  });
});
