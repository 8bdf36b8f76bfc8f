import { createMemoryArchival } from '@pagefault/driver-memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Process } from '../../src/index.js';
import { themeEmbedder } from '../support/embedding.js';
import { keptOpen, watchedRecall } from '../support/recall.js';
import {
  answers,
  ask,
  gate,
  hasResults,
  lastResult,
  startKernel,
  startProcesses,
  tell,
} from '../support/stack.js';
import { onEachStore } from '../support/stores.js';

const startProcess = startProcesses();

onEachStore('a fork', (createRecall) => {
  it('goes on where its parent stands: the same queue, the same blocks, the same memory', async () => {
    const { process } = await startProcess({ recall: createRecall() });
    await process.send('the alpaca is called Bruno');
    await process.blocks.set('human', 'keeps alpacas');
    const child = await process.fork({ name: 'trial' });
    const [parents, own] = [await process.map(), await child.map()];
    expect(own.pages).toEqual(parents.pages);
    // The values that were before are the parent's alone.
    expect(own.blocks).toEqual(parents.blocks.map(({ history: _, ...block }) => block));
    expect([own.name, own.messages]).toEqual(['trial', parents.messages]);
    expect(own.pid).not.toBe(parents.pid);
    expect((await child.send('hello')).text).toBe('answer to: hello');
  });

  it('and its parent go their own ways: messages, blocks, passages; neither finds what the other said', async () => {
    const { process: parent } = await startProcess({ recall: createRecall() });
    await parent.send('before the fork there was one alpaca');
    await parent.archive([{ id: 'shared', text: 'alpacas hum' }]);
    const child = await parent.fork();
    // No message comes between: the log alone could not tell these from what was before.
    await parent.archive([{ id: 'late', text: 'alpacas spit' }]);
    await child.archive([{ id: 'own', text: 'alpacas run' }]);
    await Promise.all([parent.send('the parent has two alpacas'), child.send('the child has three alpacas')]);
    await parent.blocks.set('human', 'two');
    await child.blocks.set('human', 'three');
    expect(await said(parent)).toEqual([
      'before the fork there was one alpaca',
      'the parent has two alpacas',
    ]);
    expect(await said(child)).toEqual([
      'before the fork there was one alpaca',
      'the child has three alpacas',
    ]);
    expect(await found(parent)).toEqual(['late', 'shared']);
    expect(await found(child)).toEqual(['own', 'shared']);
    expect((await parent.blocks.get('human')).value).toBe('two');
    expect((await child.blocks.get('human')).value).toBe('three');
  });

  it('and its parent undo each what they did themselves, and share what was shared', async () => {
    const { process: parent, kernel } = await startProcess({ recall: createRecall() });
    const plan = await kernel.createSharedBlock({ name: 'plan', value: 'Monday' });
    await parent.blocks.attach(plan);
    await parent.blocks.set('human', 'one');
    const child = await parent.fork();
    await expect(child.blocks.undo('human')).rejects.toMatchObject({ code: 'E_BLOCK' });
    await child.blocks.set('human', 'two');
    await child.blocks.set('human', 'three');
    await parent.blocks.set('human', 'four');
    expect([await child.blocks.undo('human'), await child.blocks.undo('human')]).toMatchObject([
      { value: 'two' },
      { value: 'one' },
    ]);
    expect((await parent.blocks.history('human')).map(({ value }) => value)).toEqual(['', 'one', 'four']);
    await child.blocks.append('plan', 'Tuesday');
    expect((await parent.blocks.get('plan')).value).toBe('Monday\nTuesday');
  });

  it('of a fork reads through all its ancestors, by handle, text and date, also what was evicted', async () => {
    const { process } = await startProcess({
      recall: createRecall(),
      script: { window: 6_144 },
      replies: (request) => {
        if (hasResults(request)) return tell(lastResult(request));
        return request.messages.some(({ parts }) => JSON.stringify(parts).includes('read it'))
          ? ask('page_in', { handle: 'm1' })
          : tell('noted');
      },
    });
    await process.append([{ text: 'the first alpaca is called Bruno', at: Date.UTC(2024, 1, 1) }]);
    const filler = Array.from({ length: 150 }, (_, n) => ({ text: `${'rain and hay '.repeat(12)} ${n}` }));
    await process.append(filler);
    const child = await process.fork();
    await child.send('a child speaks');
    const grandchild = await child.fork();
    expect((await grandchild.map()).pages.some(({ firstSeq }) => firstSeq === 1)).toBe(false);
    expect((await grandchild.send('read it')).text).toContain('Bruno');
    const byText = await grandchild.search({ collection: 'messages', query: 'Bruno' });
    const byDate = await grandchild.search({ collection: 'messages', until: Date.UTC(2024, 1, 2) });
    for (const { hits } of [byText, byDate]) expect(hits[0]?.text).toContain('Bruno');
  });

  it('survives a restart, with what its policy knew', async () => {
    const recall = keptOpen(createRecall());
    const first = await startProcess({ recall });
    await first.process.send('hello');
    const child = await first.process.fork();
    await first.kernel.close();
    const second = await startKernel({ recall });
    const resets: unknown[] = [];
    second.kernel.bus.on('policy-reset', (event) => resets.push(event));
    const again = await second.kernel.open(child.pid);
    expect((await again.send('hello again')).outcome).toBe('answered');
    expect(resets).toEqual([]);
    expect(await second.kernel.list()).toHaveLength(2);
    await second.kernel.close();
  });

  it('of any shape sees its lineage and nothing else (invariant 8)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ who: fc.nat(20), fork: fc.boolean() }), { maxLength: 14 }),
        async (steps) => {
          const { kernel } = await startKernel({ recall: keptOpen(createRecall()) });
          const family: { process: Process; said: string[] }[] = [
            { process: await kernel.spawn(), said: [] },
          ];
          for (const [n, { who, fork }] of steps.entries()) {
            const one = family[who % family.length];
            if (!one) continue;
            if (fork) family.push({ process: await one.process.fork(), said: [...one.said] });
            else {
              one.said.push(`alpaca number ${n}`);
              await one.process.append([{ text: `alpaca number ${n}` }]);
            }
          }
          for (const { process, said: expected } of family) expect(await said(process)).toEqual(expected);
          await kernel.close();
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('a fork', () => {
  it('waits for the end of the turn under way', async () => {
    const started = gate();
    const finish = gate();
    const { process } = await startProcess({
      replies: async (request, n) => {
        started.open();
        await finish.opened;
        return answers(request, n);
      },
    });
    const sent = process.send('hello');
    await started.opened;
    const forking = process.fork();
    finish.open();
    await sent;
    expect((await (await forking).map()).messages).toBe(3);
  });

  it('finds by meaning what its parent said before the cut, and not what it said after', async () => {
    const { kernel, process } = await startProcess({
      embedder: themeEmbedder(),
      archival: createMemoryArchival({ dimension: 4 }),
    });
    await process.append([{ text: 'the herd grazes' }]);
    const child = await process.fork();
    await process.append([{ text: 'wool prices rise' }]);
    await kernel.settle();
    const byMeaning = await child.search({ collection: 'messages', query: 'animals' });
    expect(byMeaning.hits.map(({ text }) => text)).toEqual(['the herd grazes']);
  });

  it('writes and reads the same whether the history is short or long', async () => {
    const costs = [];
    for (const length of [100, 3_000]) {
      const recall = watchedRecall();
      const { process } = await startProcess({ recall, script: { window: 6_144 } });
      await process.append(
        Array.from({ length }, (_, n) => ({ text: `the alpaca eats hay, day ${n + 1_000}` })),
      );
      const before = recall.commits.length;
      await process.fork();
      const commits = recall.commits.slice(before);
      expect(commits).toHaveLength(2);
      expect(commits.flatMap(({ appends = [], documents = [] }) => [...appends, ...documents])).toEqual([]);
      const rows = commits.reduce((sum, { puts = [] }) => sum + puts.length, 0);
      // Only what is in main context is copied: its pages, and a summary once something was evicted.
      const { pages, summary } = await process.map();
      costs.push(rows - pages.length - (summary.messages > 0 ? 1 : 0));
    }
    expect(costs[0]).toBe(costs[1]);
  });

  it('of too many forks is refused, naming the limit', async () => {
    const { process } = await startProcess({ limits: { lineageDepth: 2 } });
    const grandchild = await (await process.fork()).fork();
    await expect(grandchild.fork()).rejects.toMatchObject({
      code: 'E_INVALID',
      message: expect.stringContaining('limit of 2'),
      hint: expect.stringContaining('lineageDepth'),
    });
  });
});

async function said(process: Process): Promise<string[]> {
  const { hits } = await process.search({ collection: 'messages', query: 'alpaca', size: 100 });
  return hits
    .filter(({ role }) => role === 'user')
    .toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    .map(({ text }) => text);
}

async function found(process: Process): Promise<string[]> {
  const { hits } = await process.search({ collection: 'passages', query: 'alpacas' });
  return hits.map(({ id }) => id).toSorted();
}
