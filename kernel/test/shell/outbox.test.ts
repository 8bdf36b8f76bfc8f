/** The way from a text to its vector, when something is in the way. */
import type { ArchivalDriver, EmbedderDriver, ErrorCode, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { createMemoryArchival, createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/virtual-clock.js';
import { themeEmbedder } from '../support/embedding.js';
import { gate, startProcesses } from '../support/stack.js';
import { sharedRecall } from '../support/vectors.js';

const startProcess = startProcesses();

const waiting = (recall: RecallDriver, pid: string) => recall.load(pid, ['outbox']);
const buried = async (recall: RecallDriver, pid: string) =>
  (await recall.load(pid, ['dead-letters'])).map(({ key, value }) => ({ key, value }));

/** Refuses texts that match, as providers do: the whole batch that has one of them. */
function picky(
  refuses: RegExp,
  code: ErrorCode = 'E_INVALID',
): EmbedderDriver & { readonly asked: readonly string[][] } {
  const base = themeEmbedder();
  const asked: string[][] = [];
  return {
    ...base,
    asked,
    embed: async (texts, signal) => {
      asked.push([...texts]);
      const wrong = texts.find((text) => refuses.test(text));
      if (wrong !== undefined) throw new PagefaultError(code, `cannot embed ${wrong}`);
      return base.embed(texts, signal);
    },
  };
}

describe('while the index is down', () => {
  it('new texts do not hammer it: each wait is twice the one before, to a limit, and the end needs nobody', async () => {
    const clock = virtualClock(1_000_000);
    const calls: number[] = [];
    let isDown = true;
    const base = createMemoryArchival({ dimension: 4 });
    const archival: ArchivalDriver = {
      ...base,
      upsert: async (...args) => {
        calls.push(clock.now());
        if (isDown) throw new PagefaultError('E_STORAGE', 'down');
        return base.upsert(...args);
      },
    };
    const limits = { indexRetryMs: 1_000, indexRetryMaxMs: 8_000 };
    const { process, recall, kernel } = await startProcess({
      embedder: themeEmbedder(),
      archival,
      clock,
      limits,
    });
    const failures: unknown[] = [];
    kernel.bus.on('index-failed', ({ error }) => failures.push(error));
    for (let second = 0; second < 30; second++) {
      await process.append([{ text: `Our herd grew ${second}.` }]);
      await clock.advance(1_000);
    }
    const waits = calls.slice(1).map((at, i) => at - (calls[i] ?? 0));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(failures).toHaveLength(calls.length);
    isDown = false;
    await clock.advance(8_000);
    expect(await waiting(recall, process.pid)).toEqual([]);
    expect((await process.search({ collection: 'messages', query: 'wool' })).hits).not.toEqual([]);
  });

  it('texts are found by their words', async () => {
    const embedder = themeEmbedder(() => true);
    const archival = createMemoryArchival({ dimension: 4 });
    const { process } = await startProcess({ embedder, archival });
    await process.append([{ text: 'Our herd grew.' }]);
    const { hits } = await process.search({ collection: 'messages', query: 'herd' });
    expect(hits.map(({ text }) => text)).toEqual(['Our herd grew.']);
  });
});

describe('a text that cannot be embedded', () => {
  it('becomes a dead letter without its words; the others have their vectors, and it is not asked again (B32)', async () => {
    const embedder = picky(/cursed/);
    const archival = createMemoryArchival({ dimension: 4 });
    const { process, recall, kernel } = await startProcess({ embedder, archival });
    await process.append([{ text: 'Our herd grew.' }, { text: 'A cursed word.' }, { text: 'A boat.' }]);
    await kernel.settle();
    expect(await waiting(recall, process.pid)).toEqual([]);
    const letters = await buried(recall, process.pid);
    expect(letters).toMatchObject([
      { key: 'messages/000000000001', value: { ordinal: 1, code: 'E_INVALID' } },
    ]);
    expect(JSON.stringify(letters)).not.toContain('cursed');
    const scope = `recall/${process.pid}/${embedder.supports.fingerprint}/turns-2`;
    expect((await archival.list(scope, { limit: 9 })).items).toEqual(['0', '2']);
    const times = embedder.asked.flat().filter((text) => /cursed/.test(text)).length;
    await process.append([{ text: 'Bread.', session: 'another' }]);
    await kernel.settle();
    expect(embedder.asked.flat().filter((text) => /cursed/.test(text))).toHaveLength(times);
    const { hits } = await process.search({ collection: 'messages', query: 'cursed' });
    expect(hits[0]?.text).toBe('A cursed word.');
  });

  it('leaves no dead letter behind when it is erased', async () => {
    const archival = createMemoryArchival({ dimension: 4 });
    const { process, recall, kernel } = await startProcess({ embedder: picky(/cursed/), archival });
    await process.append([{ text: 'Our herd grew.' }, { text: 'A cursed word.', id: 'gone' }]);
    await kernel.settle();
    await process.erase({ messages: ['gone'] });
    await kernel.settle();
    expect(await buried(recall, process.pid)).toEqual([]);
  });

  it('is told from an embedder that refuses everything: then all wait', async () => {
    const embedder = picky(/./, 'E_REQUEST');
    const archival = createMemoryArchival({ dimension: 4 });
    const { process, recall, kernel } = await startProcess({ embedder, archival });
    await process.append([{ text: 'Our herd grew.' }, { text: 'A boat.' }]);
    await kernel.settle();
    expect(await waiting(recall, process.pid)).toHaveLength(2);
    expect(await buried(recall, process.pid)).toEqual([]);
  });

  it('is one whose vector the index refuses, too (B16)', async () => {
    const base = themeEmbedder();
    const embedder: EmbedderDriver = {
      ...base,
      embed: async (texts) =>
        (await base.embed(texts)).map((vector, i) => (texts[i] === 'A boat.' ? vector.fill(0) : vector)),
    };
    const archival = createMemoryArchival({ dimension: 4 });
    const { process, recall, kernel } = await startProcess({ embedder, archival });
    await process.archive([{ text: 'The herd.' }, { text: 'A boat.' }]);
    await kernel.settle();
    expect(await buried(recall, process.pid)).toMatchObject([
      { value: { collection: 'passages', ordinal: 1 } },
    ]);
    expect(await archival.count(`archive/${process.pid}/${embedder.supports.fingerprint}`)).toBe(1);
  });
});

describe('two kernels on one store', () => {
  it('embed each text once: one leaves alone what the other has claimed', async () => {
    const recall = sharedRecall(createMemoryRecall());
    const archival = createMemoryArchival({ dimension: 4 });
    const [asked, held] = [gate(), gate()];
    const base = themeEmbedder();
    const slow: EmbedderDriver = {
      ...base,
      embed: async (texts) => (asked.open(), await held.opened, base.embed(texts)),
    };
    const first = await startProcess({ recall, archival, embedder: slow });
    await first.process.append([{ text: 'Our herd grew.' }, { text: 'A boat.' }]);
    await asked.opened;
    const other = themeEmbedder();
    const second = await startProcess({ recall, archival, embedder: other });
    await second.kernel.settle();
    expect(other.texts).toEqual([]);
    held.open();
    await first.kernel.settle();
    expect(base.texts).toEqual(['Our herd grew.', 'A boat.']);
    expect(await waiting(recall, first.process.pid)).toEqual([]);
  });

  it('finish each other’s work: what a dead one had claimed is free when its claim ends, and nobody need ask', async () => {
    const recall = sharedRecall(createMemoryRecall());
    const archival = createMemoryArchival({ dimension: 4 });
    const asked = gate();
    const never: EmbedderDriver = {
      ...themeEmbedder(),
      embed: (_, signal) => (
        asked.open(),
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error())))
      ),
    };
    const first = await startProcess({ recall, archival, embedder: never });
    await first.process.append([{ text: 'Our herd grew.' }]);
    await asked.opened;
    const clock = virtualClock(Date.now());
    const other = themeEmbedder();
    const limits = { indexClaimMs: 120_000 };
    const second = await startProcess({ recall, archival, embedder: other, clock, limits });
    await second.kernel.settle();
    expect(other.texts).toEqual([]);
    await clock.advance(130_000);
    expect(other.texts).toEqual(['Our herd grew.']);
    expect(await waiting(recall, first.process.pid)).toEqual([]);
  });

  it('wait for no claim of one that failed or was closed: it gives back what it has not done', async () => {
    const recall = sharedRecall(createMemoryRecall());
    const archival = createMemoryArchival({ dimension: 4 });
    const first = await startProcess({ recall, archival, embedder: themeEmbedder(() => true) });
    await first.process.append([{ text: 'Our herd grew.' }]);
    await first.kernel.settle();
    expect(await waiting(recall, first.process.pid)).toMatchObject([{ value: { ordinal: 0 } }]);
    const other = themeEmbedder();
    const second = await startProcess({ recall, archival, embedder: other });
    await second.kernel.settle();
    expect(other.texts).toEqual(['Our herd grew.']);
  });

  it('that race for the same texts lose and double none', async () => {
    const recall = sharedRecall(createMemoryRecall());
    const archival = createMemoryArchival({ dimension: 4 });
    const writer = await startProcess({ recall, archival, embedder: themeEmbedder(() => true) });
    const texts = Array.from({ length: 200 }, (_, i) => ({ text: `Our herd grew ${i}.`, session: `s${i}` }));
    await writer.process.append(texts);
    await writer.kernel.close();
    const embedders = [themeEmbedder(), themeEmbedder()];
    const limits = { indexBatch: 8 };
    const others = await Promise.all(
      embedders.map((embedder) => startProcess({ recall, archival, embedder, limits })),
    );
    await Promise.all(others.map(({ kernel }) => kernel.settle()));
    expect(embedders.flatMap((embedder) => embedder.texts)).toHaveLength(texts.length);
    expect(await waiting(recall, writer.process.pid)).toEqual([]);
  });
});
