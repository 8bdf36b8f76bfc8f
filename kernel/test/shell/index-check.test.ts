/** An index that drifted from recall, as after a restored backup, a lost collection or a half-done write (B37). */
import type { EmbedderDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { createMemoryArchival } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/shell/kernel.js';
import { themeEmbedder } from '../support/embedding.js';
import { ask, startProcesses, tell } from '../support/stack.js';

const startProcess = startProcesses();

async function checked(kernel: Kernel, repair = false) {
  const found = [];
  for await (const { pid: _, ...index } of kernel.checkIndex({ repair })) found.push(index);
  return found;
}

const SOUND = { texts: 4, waiting: 0, dead: 0, missing: 0, unindexed: 0, ghosts: 0, former: [] };

/** Three messages and a passage, all with vectors. */
async function indexed(embedder: EmbedderDriver = themeEmbedder()) {
  const archival = createMemoryArchival({ dimension: 4 });
  const stack = await startProcess({ archival, embedder });
  await stack.process.append([{ text: 'Our herd grew.' }, { text: 'A boat.' }, { text: 'Bread.' }]);
  await stack.process.archive([{ text: 'The animals of the farm.' }]);
  await stack.kernel.settle();
  const { fingerprint } = embedder.supports;
  const messages = `recall/${stack.process.pid}/${fingerprint}/turns-2`;
  return { ...stack, archival, messages, passages: `archive/${stack.process.pid}/${fingerprint}` };
}

const vector = Float32Array.of(1, 0, 0, 0);

describe('checking the index', () => {
  it('finds nothing where nothing is wrong, and changes nothing', async () => {
    const embedder = themeEmbedder();
    const { kernel } = await indexed(embedder);
    const asked = embedder.texts.length;
    expect(await checked(kernel, true)).toEqual([SOUND]);
    await kernel.settle();
    expect(await checked(kernel)).toEqual([SOUND]);
    expect(embedder.texts).toHaveLength(asked);
  });

  it('finds lost vectors and ghosts, leaves them alone when it only looks, and removes the difference when told', async () => {
    const { kernel, process, archival, messages, passages } = await indexed();
    await archival.remove(messages, ['1']);
    await archival.remove(passages, 'all');
    await archival.upsert(messages, [{ id: '77', vector, at: 0 }]);
    const drifted = { ...SOUND, missing: 2, ghosts: 1 };
    expect(await checked(kernel)).toEqual([drifted]);
    expect(await checked(kernel, true)).toEqual([drifted]);
    await kernel.settle();
    expect(await checked(kernel)).toEqual([SOUND]);
    expect((await archival.list(messages, { limit: 9 })).items).toEqual(['0', '1', '2']);
    const { hits } = await process.search({ collection: 'passages', query: 'wool' });
    expect(hits[0]?.text).toBe('The animals of the farm.');
  });

  it('tells what waits from what is lost', async () => {
    let isDown = false;
    const { kernel, process } = await indexed(themeEmbedder(() => isDown));
    isDown = true;
    await process.append([{ text: 'Another boat.' }]);
    await kernel.settle();
    expect(await checked(kernel)).toEqual([{ ...SOUND, texts: 5, waiting: 1 }]);
  });

  it('asks again for texts that were given up, when it repairs', async () => {
    let refuses = true;
    const base = themeEmbedder();
    const picky: EmbedderDriver = {
      ...base,
      embed: async (texts) => {
        if (refuses && texts.includes('A boat.')) throw new PagefaultError('E_INVALID', 'no boats');
        return base.embed(texts);
      },
    };
    const { kernel } = await indexed(picky);
    expect(await checked(kernel)).toEqual([{ ...SOUND, dead: 1 }]);
    refuses = false;
    await checked(kernel, true);
    await kernel.settle();
    expect(await checked(kernel)).toEqual([SOUND]);
  });

  it('embeds everything again for another embedder, tells how far it is, and keeps what the former one made', async () => {
    const { recall, archival, messages, kernel: before } = await indexed();
    await before.close();
    const base = themeEmbedder();
    const embedder = { ...base, supports: { ...base.supports, fingerprint: 'themes-2' } };
    const { kernel } = await startProcess({ recall, archival, embedder });
    const former = [
      { scope: messages.replace('recall', 'archive').replace('/turns-2', ''), vectors: 1 },
      { scope: messages, vectors: 3 },
    ];
    const [old] = await checked(kernel, true);
    expect(old).toEqual({ ...SOUND, unindexed: 4, former });
    let told = 0;
    kernel.bus.on('indexed', ({ texts }) => (told += texts));
    await kernel.settle();
    expect(told).toBe(4);
    expect((await checked(kernel))[0]).toEqual({ ...SOUND, former });
  });

  it('makes the index of an embedder that comes back whole: what was written meanwhile, and what still waited then', async () => {
    const { recall, archival, process, messages, kernel: first } = await indexed();
    await first.close();
    const live = async (fingerprint: string, text: string, isSettled: boolean) => {
      const base = themeEmbedder(() => !isSettled);
      const embedder = { ...base, supports: { ...base.supports, fingerprint } };
      const { kernel } = await startProcess({ recall, archival, embedder });
      const attached = await kernel.open(process.pid);
      await attached.append([{ text }]);
      if (isSettled) await kernel.settle();
      const [index] = await checked(kernel);
      const { items } = await archival.list(messages, { limit: 9 });
      await kernel.close();
      return { missing: index?.missing, items };
    };
    // The first embedder is away while a text comes in, and another one embeds that and one more.
    await live('themes-1', 'A harbour.', false);
    await live('themes-2', 'An oven.', true);
    const back = await live('themes-1', 'A barn.', true);
    expect(back).toEqual({ missing: 0, items: ['0', '1', '2', '3', '4', '5'] });
  });

  it('takes what has no words, such as calls and their results, for no text', async () => {
    const replies = (_: unknown, n: number) => (n % 2 ? tell('Yes.') : ask('core_memory_append', { label: 'human', content: 'x' })); // prettier-ignore
    const archival = createMemoryArchival({ dimension: 4 });
    const { kernel, process } = await startProcess({ archival, embedder: themeEmbedder(), replies });
    for (const text of ['Hello.', 'Are you there?']) await process.send(text);
    await kernel.settle();
    expect((await checked(kernel))[0]).toMatchObject({ missing: 0, waiting: 0, ghosts: 0 });
  });

  it('never takes what is written meanwhile for a ghost or for lost', async () => {
    const { kernel, process } = await indexed();
    const writing = (async () => {
      for (let n = 0; n < 30; n++) await process.append([{ text: `Our herd grew ${n}.` }]);
    })();
    for (let n = 0; n < 20; n++) expect((await checked(kernel))[0]).toMatchObject({ ghosts: 0 });
    await writing;
    await kernel.settle();
    expect((await checked(kernel))[0]).toEqual({ ...SOUND, texts: 34 });
  });

  it('of a fork looks at what the fork wrote', async () => {
    const { kernel, process } = await indexed();
    const child = await process.fork();
    await child.append([{ text: 'A ship.' }]);
    await kernel.settle();
    expect((await checked(kernel)).map(({ texts, missing }) => [texts, missing])).toEqual([
      [4, 0],
      [1, 0],
    ]);
  });

  it('says that there is none where there is none', async () => {
    const { kernel } = await startProcess();
    await expect(checked(kernel)).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
  });
});
