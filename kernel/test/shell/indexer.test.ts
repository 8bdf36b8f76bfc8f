import { createMemoryArchival } from '@pagefault/driver-memory';
import type { ArchivalDriver, Scope } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { themeEmbedder } from '../support/embedding.js';
import { startProcesses } from '../support/stack.js';

const startProcess = startProcesses();

function watched() {
  const archival = createMemoryArchival({ dimension: 4 });
  const stored: { readonly scope: Scope; readonly id: string; readonly vector: readonly number[] }[] = [];
  const driver: ArchivalDriver = {
    ...archival,
    upsert: async (scope, entries, signal) => {
      for (const { id, vector } of entries) stored.push({ scope, id, vector: [...vector] });
      await archival.upsert(scope, entries, signal);
    },
  };
  return { driver, stored };
}

describe('the index of messages', () => {
  it('gives a turn part of the meaning of the one before it, in its session alone', async () => {
    const { driver, stored } = watched();
    const { process, kernel } = await startProcess({ embedder: themeEmbedder(), archival: driver });
    await process.append([
      { text: 'Our herd grew.', session: 'monday' },
      { text: 'By two!', session: 'monday' },
      { text: 'By three!', session: 'tuesday' },
    ]);
    await kernel.settle();
    const alpacas = stored.map(({ vector }) => vector[0] ?? 0);
    expect(alpacas[0]).toBeGreaterThan(0.9);
    expect(alpacas[1]).toBeGreaterThan(0.1);
    expect(alpacas[1]).toBeLessThan(alpacas[0] ?? 0);
    expect(alpacas[2]).toBe(0);
    for (const { vector } of stored) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('is the same whether messages come one by one or together, each text embedded once', async () => {
    const texts = ['Our herd grew.', 'By two!', 'A boat came.', 'Really?'];
    const runs = await Promise.all(
      [true, false].map(async (together) => {
        const { driver, stored } = watched();
        const embedder = themeEmbedder();
        const { process, kernel } = await startProcess({ embedder, archival: driver });
        if (together) await process.append(texts.map((text) => ({ text })));
        else
          for (const text of texts) {
            await process.append([{ text }]);
            await kernel.settle();
          }
        await kernel.settle();
        expect(embedder.texts).toEqual(texts);
        return stored.map(({ id, vector }) => [id, vector]);
      }),
    );
    expect(runs[1]).toEqual(runs[0]);
  });

  it('never mixes this form of vector with the plain one', async () => {
    const { driver, stored } = watched();
    const { process, kernel } = await startProcess({ embedder: themeEmbedder(), archival: driver });
    await process.append([{ text: 'Our herd grew.' }]);
    await process.archive([{ text: 'A boat.' }]);
    await kernel.settle();
    const { fingerprint } = themeEmbedder().supports;
    expect(stored.map(({ scope }) => scope)).toEqual([
      `recall/${process.pid}/${fingerprint}/turns-2`,
      `archive/${process.pid}/${fingerprint}`,
    ]);
  });

  it('of a fork begins anew: what an ancestor erases is in no vector of its own', async () => {
    const { driver, stored } = watched();
    const { process, kernel } = await startProcess({ embedder: themeEmbedder(), archival: driver });
    await process.append([{ text: 'Our herd grew.' }]);
    await kernel.settle();
    const child = await process.fork();
    await child.append([{ text: 'By two!' }, { text: 'A boat.' }]);
    await kernel.settle();
    const own = stored.filter(({ scope }) => scope.includes(child.pid));
    expect(own.map(({ id, vector }) => [id, vector[0]])).toEqual([
      ['1', 0],
      ['2', 0],
    ]);
  });

  it('holds nothing of a message that was erased, in the vector of the next one either', async () => {
    const { driver, stored } = watched();
    const { process, kernel } = await startProcess({ embedder: themeEmbedder(), archival: driver });
    await process.append([{ text: 'Our herd grew.', id: 'gone' }, { text: 'By two!' }, { text: 'Really?' }]);
    await kernel.settle();
    expect(stored.map(({ id, vector }) => [id, (vector[0] ?? 0) > 0.1])).toEqual([
      ['0', true],
      ['1', true],
      ['2', false],
    ]);
    stored.length = 0;
    await process.erase({ messages: ['gone'] });
    await kernel.settle();
    expect(stored.map(({ id, vector }) => [id, vector[0]])).toEqual([['1', 0]]);
  });
});
