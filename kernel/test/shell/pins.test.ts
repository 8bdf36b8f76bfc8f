import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { keptOpen } from '../support/recall.js';
import {
  ask,
  FEW_SYSCALLS,
  gate,
  hasResults,
  lastResult,
  startKernel,
  startProcesses,
  tell,
} from '../support/stack.js';

const startProcess = startProcesses();

const LONG = 'lorem ipsum dolor sit amet '.repeat(60);

describe('process.pin', () => {
  it('keeps a page in the queue, and the map lists it', async () => {
    const { process } = await startProcess({ window: 4_500 });
    await process.append([{ text: 'The code word is heron.' }]);
    await process.pin('m1');
    for (let n = 0; n < 30; n++) await process.append([{ text: `${n} ${LONG}` }]);
    const { pages, counters } = await process.map();
    expect(counters.evicted).toBeGreaterThan(10);
    expect(pages.filter(({ pinned }) => pinned).map(({ firstSeq }) => firstSeq)).toEqual([1]);
    await process.unpin('m1');
    expect((await process.map()).pages.some(({ pinned }) => pinned)).toBe(false);
  });

  it('refuses by code, and the process goes on', async () => {
    const { process } = await startProcess({ window: 4_500, syscalls: FEW_SYSCALLS });
    await process.append([{ text: 'word '.repeat(640) }, { text: 'word '.repeat(640) }]);
    await process.pin('m1');
    await expect(process.pin('m2')).rejects.toMatchObject({ code: 'E_PIN_LIMIT' });
    await expect(process.pin('m99')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(process.unpin('m2')).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      message: expect.stringContaining('Pinned: m1.'),
    });
    expect((await process.send('hello')).outcome).toBe('answered');
  });

  it('waits for the turn that is under way', async () => {
    const begun = gate();
    const finish = gate();
    const { process } = await startProcess({
      replies: async () => (begun.open(), await finish.opened, tell('done')),
    });
    const turn = process.send('hello');
    await begun.opened;
    const pinning = process.pin('m1');
    finish.open();
    await Promise.all([turn, pinning]);
    expect((await process.map()).pages[0]).toMatchObject({ firstSeq: 1, pinned: true });
  });

  it('is kept over a restart', async () => {
    const recall = keptOpen(createMemoryRecall());
    const first = await startProcess({ recall });
    await first.process.append([{ text: 'The code word is heron.' }]);
    await first.process.pin('m1');
    await first.kernel.close();
    const second = await startKernel({ recall });
    const map = await (await second.kernel.open(first.process.pid)).map();
    expect(map.pages.map(({ pinned }) => pinned)).toEqual([true]);
    await second.kernel.close();
  });
});

describe('the model', () => {
  it('pages in what was evicted, then pins what that shows', async () => {
    const steps = [
      ask('pin', { handle: 'm1' }),
      ask('page_in', { handle: 'm1' }),
      ask('pin', { handle: 'm1' }),
    ];
    let n = 0;
    const { process, texts } = await startProcess({
      window: 4_500,
      replies: (request) => steps[n++] ?? tell(hasResults(request) ? lastResult(request) : 'nothing'),
    });
    await process.append([{ text: 'The code word is heron.' }]);
    for (let i = 0; i < 30; i++) await process.append([{ text: `${i} ${LONG}` }]);
    expect((await process.send('keep the code word in view')).text).toMatch(/^Pinned m1: pins take \d+ of /);
    expect(await texts()).toContainEqual(expect.stringMatching(/^"?Error|is not in the queue/));
    const pinned = (await process.map()).pages.find((page) => page.pinned);
    expect(pinned?.kind).toBe('assistant');
    for (let i = 0; i < 30; i++) await process.append([{ text: `${i} ${LONG}` }]);
    expect((await process.map()).pages.some(({ id }) => id === pinned?.id)).toBe(true);
  });
});
