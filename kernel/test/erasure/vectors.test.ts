import type { ArchivalDriver, RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/index.js';
import { themeEmbedder } from '../support/embedding.js';
import { startKernel, type StackOptions } from '../support/stack.js';
import { heldEmbedder, messageVector, openIndex, sharedRecall } from '../support/vectors.js';

const ALPACA = 0;
const AGAIN = 600_000;

const STORY = [
  { id: 'a', text: 'An alpaca is in the field.' },
  { id: 'b', text: 'A boat is in the harbour.' },
  { id: 'c', text: 'The bread is in the oven.' },
];

describe('the vector of an erased message', () => {
  it('is gone, and so is the part of it that the vector of the next one held (B36)', async () => {
    const archival = openIndex();
    const { kernel } = await startKernel({ archival, embedder: themeEmbedder() });
    const process = await kernel.spawn();
    await process.append(STORY);
    await kernel.settle();
    expect(messageVector(archival, 1)?.[ALPACA]).toBeGreaterThan(0);
    expect(await process.erase({ messages: ['a'] })).toMatchObject({ done: true, erased: { vectors: 1 } });
    expect(messageVector(archival, 0)).toBeUndefined();
    expect(messageVector(archival, 1)?.[ALPACA]).toBe(0);
    expect(messageVector(archival, 2)?.[ALPACA]).toBe(0);
    const { hits } = await process.search({ collection: 'messages', query: 'harbour' });
    expect(hits.map(({ id }) => id)).toContain('b');
    await kernel.close();
  });
});

/** A kernel that has read the story to index it and is held up; another then erases the first message. */
async function erasedMeanwhile(base = createMemoryRecall()) {
  const [archival, clock] = [openIndex(), virtualClock(1_000)];
  const recall = sharedRecall(base);
  const embedder = heldEmbedder();
  const faulty = dying(recall, archival);
  const indexing = await startKernel({ recall: faulty.recall, archival: faulty.archival, embedder, clock });
  const spawned = await indexing.kernel.spawn();
  await spawned.append(STORY);
  await embedder.asked;
  await indexing.kernel.passivate();
  const others: StackOptions = { recall, archival, embedder: themeEmbedder(), clock };
  const { kernel } = await startKernel(others);
  return {
    archival,
    clock,
    recall,
    embedder,
    faulty,
    indexing: indexing.kernel,
    others,
    kernel,
    pid: spawned.pid,
  };
}

/** A kernel that is told to dies when it has written vectors: from then on nothing of it works. */
function dying(base: RecallDriver, index: ArchivalDriver) {
  let state: 'well' | 'ill' | 'dead' = 'well';
  const unlessDead = <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) => {
    return async (...args: Args) => {
      if (state === 'dead') throw new Error('killed');
      return work(...args);
    };
  };
  const recall: RecallDriver = {
    ...base,
    commit: unlessDead(base.commit),
    get: unlessDead(base.get),
    scan: unlessDead(base.scan),
  };
  const archival: ArchivalDriver = {
    ...index,
    upsert: async (...args) => {
      await index.upsert(...args);
      if (state === 'ill') state = 'dead';
    },
  };
  return { recall, archival, die: () => void (state = 'ill') };
}

describe('a kernel that had read the text before another one erased it', () => {
  it('takes back the vectors that it writes after it', async () => {
    const { archival, embedder, indexing, kernel, pid } = await erasedMeanwhile();
    expect((await (await kernel.open(pid)).erase({ messages: ['a'] })).done).toBe(true);
    embedder.letGo();
    await indexing.settle();
    expect(messageVector(archival, 0)).toBeUndefined();
    expect(messageVector(archival, 1)?.[ALPACA]).toBe(0);
    await indexing.close();
    await kernel.close();
  });

  it('leaves them when it dies there, and they are removed a second time, a while after (B37)', async () => {
    const { archival, clock, embedder, faulty, indexing, kernel, pid } = await erasedMeanwhile();
    expect((await (await kernel.open(pid)).erase({ messages: ['a'] })).done).toBe(true);
    faulty.die();
    embedder.letGo();
    await indexing.settle();
    expect(messageVector(archival, 0)).toBeDefined();
    expect(messageVector(archival, 1)?.[ALPACA]).toBeGreaterThan(0);
    await clock.advance(AGAIN - 1);
    expect(messageVector(archival, 0)).toBeDefined();
    await clock.advance(1);
    await kernel.settle();
    expect(messageVector(archival, 0)).toBeUndefined();
    expect(messageVector(archival, 1)?.[ALPACA]).toBe(0);
    await indexing.close().catch(() => undefined);
    await kernel.close();
    expect(clock.waiting).toBe(0);
  });

  it('leaves those of a whole process in the same way, and the next kernel on the store removes them', async () => {
    const { archival, clock, embedder, faulty, indexing, kernel, others, pid, recall } =
      await erasedMeanwhile();
    expect((await kernel.erase(pid)).done).toBe(true);
    faulty.die();
    embedder.letGo();
    await indexing.settle();
    await indexing.close().catch(() => undefined);
    await kernel.close();
    expect(archival.vectors.size).toBeGreaterThan(0);
    await clock.advance(AGAIN);
    const next = await startKernel(others);
    await next.kernel.resumeErasures();
    expect(archival.vectors.size).toBe(0);
    for (const space of ['second-looks', 'scopes'])
      expect((await recall.scan(space, { limit: 10 })).items).toEqual([]);
    await next.kernel.close();
  });
});
