/** An index of its own on the network: what it holds, and what is lost when it is away. */
import { createQdrantArchival } from '@pagefault/driver-archival-qdrant';
import type { ArchivalDriver } from '@pagefault/contracts';
import { type QdrantDouble, type QdrantState, startQdrantDouble } from '@pagefault/doubles';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import { virtualClock } from '../../src/virtual-clock.js';
import { themeEmbedder } from '../support/embedding.js';
import { faultyRecall, keptOpen } from '../support/recall.js';
import { startKernel } from '../support/stack.js';

const kernels: Kernel[] = [];
const doubles: QdrantDouble[] = [];
afterEach(async () => {
  // One that was killed cannot save.
  for (const kernel of kernels.splice(0)) await kernel.close().catch(() => undefined);
  for (const double of doubles.splice(0)) await double.close();
});

async function startIndex(options: { readonly state?: QdrantState; readonly port?: number } = {}) {
  const double = await startQdrantDouble(options);
  doubles.push(double);
  return double;
}

async function start(options: Parameters<typeof startKernel>[0]): Promise<Kernel> {
  const { kernel } = await startKernel({ embedder: themeEmbedder(), ...options });
  kernels.push(kernel);
  return kernel;
}

/** Its tries follow each other at once. */
function onQdrant(url: string): ArchivalDriver {
  const timing = { now: () => 0, random: () => 0, sleep: async () => undefined };
  return createQdrantArchival({ url, dimension: 4, timing });
}

const found = async (process: Process, query: string): Promise<string[]> => {
  const { hits } = await process.search({ collection: 'messages', query, size: 1_000 });
  return hits.map(({ text }) => text);
};

/** Ordinals of the messages whose vectors the index holds. */
const indexed = (state: QdrantState): number[] =>
  [...(state.get('pagefault')?.points.values() ?? [])]
    .map(({ payload }) => Number(payload['id']))
    .sort((a, b) => a - b);

describe('an index on Qdrant', () => {
  it('holds what the log says, finds it by meaning, and forgets what is erased', async () => {
    const { url, state } = await startIndex();
    const kernel = await start({ archival: onQdrant(url) });
    const process = await kernel.spawn();
    await process.append([
      { text: 'Our herd grew.', id: 'herd' },
      { text: 'A boat came.', session: 'harbour' },
    ]);
    await kernel.settle();
    expect(indexed(state)).toEqual([0, 1]);
    expect((await found(process, 'animals'))[0]).toBe('Our herd grew.');
    expect(await process.erase({ messages: ['herd'] })).toMatchObject({ done: true });
    expect(indexed(state)).toEqual([1]);
    expect(await found(process, 'animals')).not.toContain('Our herd grew.');
    await process.kill();
    await kernel.erase(process.pid);
    expect(indexed(state)).toEqual([]);
  });

  it('that is silent holds no search up for longer than its time, and words are found', async () => {
    const double = await startIndex();
    const archival = createQdrantArchival({ url: double.url, dimension: 4, queryDeadline: 20 });
    const kernel = await start({ archival });
    const process = await kernel.spawn();
    const failures: unknown[] = [];
    kernel.bus.on('index-failed', ({ error }) => failures.push(error));
    double.failAlways({ kind: 'silence' });
    await process.append([{ text: 'Our herd grew.' }]);
    expect(await found(process, 'herd')).toEqual(['Our herd grew.']);
    expect(failures).toContainEqual(expect.objectContaining({ code: 'E_TIMEOUT' }));
  });
});

describe('an index that is away for an hour', () => {
  it('costs nothing but rank: all is found by its words meanwhile, also after a kill, and by its meaning afterwards; what was erased is found never again', async () => {
    const first = await startIndex();
    const { url, state } = first;
    const base = keptOpen();
    let isKilled = false;
    const recall = faultyRecall(() => (isKilled ? 'fail-before' : 'pass'), base);
    const clock = virtualClock(Date.UTC(2026, 0, 5));
    const life = new Life();

    const kernel = await start({ recall, archival: onQdrant(url), clock });
    let process = await kernel.spawn();
    for (let n = 0; n < 20; n++) await life.write(process);
    await kernel.settle();
    expect(indexed(state)).toHaveLength(20);

    await first.close();
    for (let minute = 0; minute < 30; minute++) {
      await life.minute(process, minute);
      await clock.advance(60_000);
    }
    isKilled = true;

    const warnings: string[] = [];
    const later = virtualClock(clock.now());
    const onWarning = (warning: string): void => void warnings.push(warning);
    const again = await start({ recall: base, archival: onQdrant(url), clock: later, onWarning });
    expect(warnings).toEqual([expect.stringMatching(/^archival: qdrant cannot be reached.*words alone/)]);
    process = await again.open(process.pid);
    for (let minute = 30; minute < 60; minute++) {
      await life.minute(process, minute);
      await later.advance(60_000);
    }
    expect(indexed(state)).toHaveLength(20);

    await startIndex({ state, port: Number(new URL(url).port) });
    await later.advance(300_000);
    await vi.waitFor(async () => expect(await base.load(process.pid, ['outbox'])).toEqual([]), 20_000);
    expect(indexed(state)).toEqual(life.ordinals());
    for (const query of ['herd', 'animals'])
      expect((await found(process, query)).sort()).toEqual(life.texts());
  });

  it('does not keep a kernel from being closed while it is looked for', async () => {
    const double = await startIndex();
    await double.close();
    const kernel = await start({ archival: onQdrant(double.url) });
    const back = await startIndex({ port: Number(new URL(double.url).port) });
    back.failAlways({ kind: 'silence' });
    const process = await kernel.spawn();
    await process.append([{ text: 'Our herd grew.' }]);
    await vi.waitFor(() => expect(back.answering()).toBe(1));
    await kernel.close();
    await vi.waitFor(() => expect(back.connections()).toBe(0));
  });

  it('keeps a kernel from starting when waiting would not help', async () => {
    const { url } = await startIndex();
    await start({ archival: onQdrant(url) });
    const wide = { ...themeEmbedder(), supports: { dimension: 5, maxTokens: 9, fingerprint: 'wide' } };
    const archival = createQdrantArchival({ url, dimension: 5 });
    await expect(start({ archival, embedder: wide })).rejects.toMatchObject({ code: 'E_DIMENSION' });
  });
});

/** What was said and what was erased: what must be found, and what must not. */
class Life {
  readonly #alive = new Map<number, string>();
  #said = 0;

  async write(process: Process): Promise<void> {
    const n = this.#said;
    this.#said += 1;
    const text = `Our herd grew: x${n}.`;
    this.#alive.set(n, text);
    await process.append([{ text, id: `m${n}`, session: `s${n}` }]);
  }

  async erase(process: Process, n: number): Promise<void> {
    this.#alive.delete(n);
    const report = await process.erase({ messages: [`m${n}`] });
    expect(report.erased.messages).toBe(1);
  }

  /** Writes; now and then erases of before and of now; and looks whether words find all and nothing else. */
  async minute(process: Process, minute: number): Promise<void> {
    await this.write(process);
    if (minute % 10 === 4) {
      await this.erase(process, minute / 2 - 2);
      await this.erase(process, this.#said - 2);
    }
    if (minute % 5 === 0) expect((await found(process, 'herd')).sort()).toEqual(this.texts());
  }

  texts(): string[] {
    return [...this.#alive.values()].sort();
  }

  ordinals(): number[] {
    return [...this.#alive.keys()].sort((a, b) => a - b);
  }
}
