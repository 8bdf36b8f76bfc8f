import { createMemoryArchival, createMemoryRecall } from '@pagefault/driver-memory';
import { PagefaultError, type EmbedderDriver } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { fifo, type PagingPolicy } from '../../src/index.js';
import { FEW_SYSCALLS, startProcess } from '../support/stack.js';

const DIMENSION = 4;

/** Embeds by length; `fails` says which texts it refuses, and how. */
function embedder(fails: (text: string) => PagefaultError | undefined): EmbedderDriver {
  return {
    kind: 'embedder',
    name: 'failing',
    specVersion: 1,
    supports: Object.freeze({ dimension: DIMENSION, maxTokens: 100, fingerprint: 'failing/1' }),
    open: async () => undefined,
    close: async () => undefined,
    embed: async (texts) =>
      texts.map((text) => {
        const error = fails(text);
        if (error) throw error;
        return Float32Array.from({ length: DIMENSION }, (_, i) => (i === text.length % DIMENSION ? 1 : 0.1));
      }),
  };
}

const down = () => new PagefaultError('E_TIMEOUT', 'the embedder is down', { retryable: true });

describe('an embedder that is down', () => {
  it('leaves the search to the text arm, and is told', async () => {
    const archival = createMemoryArchival({ dimension: DIMENSION });
    const { kernel, process } = await startProcess({ archival, embedder: embedder(down) });
    const told: unknown[] = [];
    kernel.bus.on('index-failed', ({ error }) => told.push(error));
    await process.append([{ text: 'Alpacas like hay.' }]);
    const { hits } = await process.search({ collection: 'messages', query: 'alpacas' });
    expect(hits[0]).toMatchObject({ text: 'Alpacas like hay.' });
    expect(told).toContainEqual(expect.objectContaining({ code: 'E_TIMEOUT' }));
    await kernel.close();
  });
});

describe('a text that cannot be embedded', () => {
  it('keeps no other from its vector, and is found by text (B32)', async () => {
    const archival = createMemoryArchival({ dimension: DIMENSION });
    const poison = (text: string) =>
      text.includes('poison') ? new PagefaultError('E_INVALID', 'this text has no vector') : undefined;
    const { kernel, process } = await startProcess({ archival, embedder: embedder(poison) });
    const told: unknown[] = [];
    kernel.bus.on('index-failed', ({ error }) => told.push(error));
    await process.append([{ text: 'before' }, { text: 'poison' }, { text: 'after' }]);
    await kernel.settle();
    await archival.open();
    expect(await archival.count(`recall/${process.pid}/failing/1/turns-2`)).toBe(2);
    expect(told).toHaveLength(1);
    expect((await process.search({ collection: 'messages', query: 'poison' })).hits[0]?.text).toBe('poison');
    await kernel.close();
  });
});

describe('a policy that throws', () => {
  it('is told once and left out: the oldest pages go, and every turn is answered', async () => {
    const broken = (): PagingPolicy => ({
      ...fifo(),
      id: 'broken',
      victims: () => {
        throw new Error('no idea');
      },
    });
    const { kernel, process } = await startProcess({ policy: broken, window: 4_096 });
    const failures: unknown[] = [];
    const evicted: number[] = [];
    kernel.bus.on('policy-failed', (event) => failures.push(event));
    kernel.bus.on('page-evicted', ({ page }) => evicted.push(page));
    const filler = Array.from({ length: 150 }, (_, n) => ({
      text: `Filler ${n}: rain again, and the barn leaks.`,
    }));
    await process.append(filler);
    expect((await process.send('Hello?')).outcome).toBe('answered');
    expect(failures).toMatchObject([{ policy: 'broken', error: new Error('no idea') }]);
    expect(evicted.length).toBeGreaterThan(0);
    expect(evicted).toEqual(evicted.toSorted((a, b) => a - b));
    await kernel.close();
  });
});

describe('page_in', () => {
  it('of what page_in had put back reads the origin, not the copy', async () => {
    const long = 'The whole story of the barn. '.repeat(400);
    const { process, log } = await startProcess({
      recall: createMemoryRecall(),
      window: 4_096,
      syscalls: FEW_SYSCALLS,
      replies: (_, n) => {
        if (n === 0)
          return { calls: [{ name: 'page_in', arguments: { handle: 'm1', request_heartbeat: true } }] };
        if (n === 1)
          return { calls: [{ name: 'page_in', arguments: { handle: 'm3', request_heartbeat: true } }] };
        return 'Done.';
      },
    });
    await process.send(long);
    const results = (await log()).flatMap(({ message }) =>
      message.parts.filter((part) => part.type === 'result'),
    );
    expect(results).toHaveLength(2);
    for (const result of results) expect(result).toMatchObject({ recalled: [{ handle: 'm1', from: 0 }] });
    expect(results[1]).toMatchObject({ text: (results[0] as { text: string }).text });
  });
});

describe('a query without a word', () => {
  it('finds nothing instead of everything, though vectors are always near to something (D04, D08)', async () => {
    const archival = createMemoryArchival({ dimension: DIMENSION });
    const { kernel, process } = await startProcess({ archival, embedder: embedder(() => undefined) });
    await process.append([{ text: 'Alpacas like hay.' }, { text: 'The barn leaks.' }]);
    await kernel.settle();
    const find = async (query: string) => (await process.search({ collection: 'messages', query })).total;
    expect(await Promise.all(['%', "'", '"', '!', '\\', '&|'].map(find))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await find('hay %')).toBe(2);
    await kernel.close();
  });
});
