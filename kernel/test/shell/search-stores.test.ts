/** What a search finds by words and meaning, whatever the stores are like. */
import { createMemoryArchival } from '@pagefault/driver-memory';
import type { ArchivalDriver, RecallDriver } from '@pagefault/contracts';
import { afterEach, expect, it } from 'vitest';
import type { SearchRequest } from '../../src/core/search-results.js';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import { themeEmbedder } from '../support/embedding.js';
import { startKernel } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';

const open: Kernel[] = [];
afterEach(async () => {
  for (const kernel of open.splice(0)) await kernel.close();
});

async function start(
  recall: RecallDriver,
  archival: ArchivalDriver = createMemoryArchival({ dimension: 4 }),
): Promise<{ readonly process: Process; readonly kernel: Kernel }> {
  const { kernel } = await startKernel({ recall, archival, embedder: themeEmbedder() });
  open.push(kernel);
  return { kernel, process: await kernel.spawn() };
}

/** Adds to each similarity what another way to add up would. */
function rounding(noiseOf: (id: number) => number): ArchivalDriver {
  const archival = createMemoryArchival({ dimension: 4 });
  return {
    ...archival,
    query: async (query, signal) => {
      const hits = await archival.query(query, signal);
      const noisy = hits.map(({ id, score }) => ({ id, score: score + 1e-7 * noiseOf(Number(id)) }));
      return noisy.toSorted((a, b) => b.score - a.score);
    },
  };
}

const foundIn = async (process: Process, request: Omit<SearchRequest, 'collection'>) => {
  const { hits, total } = await process.search({ collection: 'messages', ...request });
  return { total, texts: hits.map(({ text }) => text) };
};

onEachStore('a search by words and meaning', (createRecall) => {
  it('puts the answer that is near in meaning above chatty rows of function words (D07)', async () => {
    const { process, kernel } = await start(createRecall());
    const chatty = Array.from({ length: 30 }, (_, i) => `what is it that is my own, and what is his, ${i}`);
    const said = [...chatty.slice(15), 'Our herd grew.', ...chatty.slice(0, 15)];
    await process.append(said.map((text, i) => ({ text, session: `${i}` })));
    await kernel.settle();
    const { texts } = await foundIn(process, { query: 'what is it that my animals did' });
    expect(texts[0]).toBe('Our herd grew.');
  });

  it('finds what is near in meaning in a range of instants, and nothing outside of it (D10)', async () => {
    const { process, kernel } = await start(createRecall());
    const said = ['2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z'];
    await process.append(said.map((text) => ({ text: `herd ${text}`, at: Date.parse(text), session: text })));
    await kernel.settle();
    const range = { since: Date.parse('2024-01-01T00:00:00Z'), until: Date.parse('2024-02-01T00:00:00Z') };
    for (const query of ['animals', 'herd'])
      expect(await foundIn(process, { ...range, query })).toEqual({ total: 1, texts: [`herd ${said[1]}`] });
  });

  it('is the same for stores that add similarities up in another way (D14, invariant 7)', async () => {
    const lives = [() => 0, (id: number) => id % 3, (id: number) => -id % 4].map(async (noiseOf) => {
      const { process, kernel } = await start(createRecall(), rounding(noiseOf));
      const said = Array.from({ length: 12 }, (_, i) => ['Our herd grew', 'A boat came', 'Bread'][i % 3]);
      await process.append(said.map((text, i) => ({ text: `${text}, ${i}`, session: `${i}` })));
      await kernel.settle();
      return Promise.all(
        ['animals', 'the ship that came', 'herd 3'].map((query) => foundIn(process, { query })),
      );
    });
    const [first, ...others] = await Promise.all(lives);
    expect(first?.map(({ total }) => total)).toEqual([12, 12, 12]);
    for (const other of others) expect(other).toEqual(first);
  });

  it('shows each of many of one instant once, page by page (D15)', async () => {
    const { process, kernel } = await start(createRecall());
    await process.append(Array.from({ length: 100 }, (_, i) => ({ text: `herd ${i}`, at: 1_000 })));
    await kernel.settle();
    for (const query of ['herd', 'animals', undefined]) {
      const texts: string[] = [];
      for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
        const results = await process.search({
          collection: 'messages',
          size: 10,
          ...(query !== undefined && { query }),
          ...(cursor !== undefined && { cursor }),
        });
        expect(results.total).toBe(100);
        texts.push(...results.hits.map(({ text }) => text));
        cursor = results.cursor;
      }
      expect([texts.length, new Set(texts).size]).toEqual([100, 100]);
    }
  });

  it('takes ids as values only, whatever is in them (D16)', async () => {
    const { process, kernel } = await start(createRecall());
    const ids = ['ap-erp', '7f8d9a60-0000-7000-8000-000000000001', "x' or '1'='1", 'a b/c:d%_\\'];
    await process.append(ids.map((id, i) => ({ id, text: `herd ${i}`, name: id, session: id })));
    await process.archive([{ id: 'ap-erp', text: 'herd' }]);
    await kernel.settle();
    const { hits } = await process.search({ collection: 'messages', query: 'herd' });
    expect(hits.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(hits.map(({ speaker }) => speaker).toSorted()).toEqual(ids.toSorted());
    const passages = await process.search({ collection: 'passages', query: 'animals' });
    expect(passages.hits.map(({ id }) => id)).toEqual(['ap-erp']);
  });
});
