/** Everything of a store, in another store. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/index.js';
import { INDEX_SPACES, MEMORY_SPACES, OWNER_SPACES } from '../../src/shell/spaces.js';
import { startProcesses, tell } from '../support/stack.js';

const startProcess = startProcesses();

async function migrated(from: RecallDriver, to: RecallDriver, signal?: AbortSignal) {
  const all = [];
  for await (const one of migrate(from, to, signal)) all.push(one);
  return all;
}

async function opened(recall = createMemoryRecall()): Promise<RecallDriver> {
  await recall.open();
  return recall;
}

/** A life with everything in it, at rest; the store is open. */
async function lived(recall: RecallDriver = createMemoryRecall()) {
  const { kernel, process } = await startProcess({ recall, script: { window: 6_000 } });
  const shared = await kernel.createSharedBlock({ name: 'team', value: 'alpacas' });
  await process.append(Array.from({ length: 30 }, (_, i) => ({ id: `m${i}`, text: `Our herd grew ${i}.` })));
  await process.archive([
    { id: 'p', text: 'Where ships lie.' },
    { id: 'q', text: 'A barn.' },
  ]);
  for (const text of ['Hello.', 'How are the alpacas?']) await process.send(text);
  await process.erase({ messages: ['m3', 'm4'] });
  await process.erase({ passages: ['q'] });
  const child = await process.fork({ name: 'child' });
  await child.send('And you?');
  await process.append([{ id: 'last', text: 'Nobody reads this.' }]);
  await process.erase({ messages: ['last'] });
  await kernel.close();
  await recall.open();
  return { recall, pid: process.pid, child: child.pid, shared };
}

describe('a migration', () => {
  it('brings everything: the process goes on in the other store as if nothing had happened', async () => {
    const { recall, pid, child, shared } = await lived();
    const target = await opened();
    const all = await migrated(recall, target);
    expect(all.map((one) => [one.pid, one.became])).toEqual([
      [shared, 'copied'],
      [pid, 'copied'],
      [child, 'copied'],
    ]);
    const { kernel, processor } = await startProcess({ recall: target, replies: () => tell('Fine.') });
    const again = await kernel.open(pid);
    await again.send('How are you?');
    expect(JSON.stringify(processor.requests.at(-1))).toContain('How are the alpacas?');
    const found = async (query: string, collection: 'messages' | 'passages' = 'messages') =>
      (await (await kernel.open(child)).search({ collection, query })).hits.map(({ text }) => text);
    expect((await found('herd')).length).toBeGreaterThan(5);
    expect(await found('ships', 'passages')).toEqual(['Where ships lie.']);
    expect(await kernel.sharedBlock(shared).get()).toMatchObject({ value: 'alpacas' });
  });

  it('keeps positions, ids and gaps, and finds by the same words', async () => {
    const { recall, pid } = await lived();
    const target = await opened();
    await migrated(recall, target);
    const view = async (store: RecallDriver) => {
      const lineage = [{ pid, upTo: Number.MAX_SAFE_INTEGER }];
      const terms = ['herd', 'grew', 'alpaca', 'ship', 'barn', '3', '29'];
      return [
        await store.read(lineage, { limit: 1_000 }),
        (await store.stats(lineage)).lastSeq,
        await store.postings(lineage, 'messages', terms),
        await store.postings(lineage, 'passages', terms),
      ];
    };
    expect(await view(target)).toEqual(await view(recall));
  });

  it('may be cut off anywhere and begun again; until a process is whole nobody sees it', async () => {
    const { recall, pid } = await lived();
    for (let after = 1; ; after += 1) {
      const base = await opened();
      let writes = 0;
      const dying: RecallDriver = {
        ...base,
        commit: async (commit, signal) => {
          if ((writes += 1) > after) throw new Error('cut off');
          return base.commit(commit, signal);
        },
        erase: async (scope, signal) => {
          if ((writes += 1) > after) throw new Error('cut off');
          return base.erase(scope, signal);
        },
      };
      const isWhole = await migrated(recall, dying).then(() => true, () => false); // prettier-ignore
      const seen = (await base.scan('process', { limit: 9 })).items.map((row) => row.pid);
      const again = await migrated(recall, base);
      expect(again.find((one) => one.pid === pid)?.became).toBe(seen.includes(pid) ? 'there' : 'copied');
      expect(again.map(({ became }) => became)).not.toContain('differs');
      expect((await migrated(recall, base)).map(({ became }) => became)).toEqual(['there', 'there', 'there']);
      if (isWhole) break;
    }
  });

  it('takes over what was erased and said at the source since it was cut off', async () => {
    const { recall, pid } = await lived();
    const target = await opened();
    const cut = new AbortController();
    const stopping: RecallDriver = {
      ...target,
      erase: async (scope) => {
        if (scope.pid === pid) cut.abort(new Error('enough'));
        return target.erase(scope);
      },
    };
    await expect(migrated(recall, stopping, cut.signal)).rejects.toMatchObject({ code: 'E_ABORTED' });
    const { kernel } = await startProcess({ recall });
    const process = await kernel.open(pid);
    await process.erase({ messages: ['m7'] });
    await process.erase({ passages: ['p'] });
    await process.send('One more thing.');
    await kernel.close();
    await recall.open();
    const all = await migrated(recall, target);
    expect(all.find((one) => one.pid === pid)?.became).not.toBe('differs');
    expect(JSON.stringify(await target.read([{ pid, upTo: 99 }], { limit: 999 }))).not.toContain('grew 7.');
  });

  it('never writes over a process that went on in the target, and says so', async () => {
    const { recall, pid } = await lived();
    const target = await opened();
    await migrated(recall, target);
    const { kernel } = await startProcess({ recall: target });
    await (await kernel.open(pid)).send('Something new.');
    await kernel.close();
    await target.open();
    const all = await migrated(recall, target);
    expect(all.find((one) => one.pid === pid)?.became).toBe('differs');
    const { items } = await target.read([{ pid, upTo: 999 }], { limit: 999 });
    expect(JSON.stringify(items)).toContain('Something new.');
  });

  it('copies again a process that changed while it was copied, rows that went too', async () => {
    const { recall, pid } = await lived();
    await recall.commit({ pid, puts: [{ space: 'control', key: 'going', value: 1 }] });
    const target = await opened();
    let hasChanged = false;
    const disturbed: RecallDriver = {
      ...target,
      commit: async (commit, signal) => {
        await target.commit(commit, signal);
        if (hasChanged || !commit.puts?.some(({ key }) => key === 'going')) return;
        hasChanged = true;
        await recall.commit({
          pid,
          deletes: [{ space: 'control', key: 'going' }],
          puts: [{ space: 'control', key: 'coming', value: 2 }],
        });
      },
    };
    expect((await migrated(recall, disturbed)).map(({ became }) => became)).not.toContain('differs');
    expect(hasChanged).toBe(true);
    const rows = await target.load(pid, ['control']);
    expect(rows.map(({ key }) => key)).toContain('coming');
    expect(rows.map(({ key }) => key)).not.toContain('going');
  });

  it('refuses a process that changes each time that it is copied', async () => {
    const { recall, pid } = await lived();
    const target = await opened();
    let n = 0;
    const restless: RecallDriver = {
      ...target,
      commit: async (commit, signal) => {
        await target.commit(commit, signal);
        if (commit.pid === pid)
          await recall.commit({ pid, puts: [{ space: 'control', key: 'mask', value: n++ }] });
      },
    };
    await expect(migrated(recall, restless)).rejects.toMatchObject({ code: 'E_CONFLICT' });
  });

  it('knows every space that the kernel writes', async () => {
    const folder = join(import.meta.dirname, '../../src');
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/_SPACE\b[^=\n]*= '([^']+)'/g)].map(([, name]) => name),
    );
    expect(new Set([...MEMORY_SPACES, ...INDEX_SPACES, ...OWNER_SPACES])).toEqual(new Set(named));
  });
});
