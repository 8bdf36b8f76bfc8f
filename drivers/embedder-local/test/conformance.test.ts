import { conformEmbedder } from '@pagefault/conformance';
import { describe, expect, it } from 'vitest';
import { BUNDLED_MANIFEST } from '../src/bundled.js';
import { createLocalEmbedder } from '../src/index.js';
import { createEmbedder } from '../src/driver.js';
import { axis, embedderOver, gate, temporaryFolder } from './support.js';

const cacheDir = temporaryFolder();

conformEmbedder({
  name: 'embedder-local',
  create: () => ({ driver: createLocalEmbedder({ cacheDir: cacheDir() }) }),
  unopened: () => createLocalEmbedder(),
  meaning: true,
});

describe('the head', () => {
  it('says what the driver is, frozen, before it is opened', () => {
    const embedder = createLocalEmbedder();
    expect(embedder).toMatchObject({ kind: 'embedder', name: 'embedder-local', specVersion: 1 });
    expect(embedder.supports).toEqual({ dimension: 512, maxTokens: 128, fingerprint: 'use-lite-en/1' });
    expect(Object.isFrozen(embedder.supports)).toBe(true);
  });

  it('refuses options that it does not know or that are out of range, naming them', () => {
    expect(() => createLocalEmbedder({ threads: 0 })).toThrow(/embedder-local\.threads/);
    const misspelt: object = { bachSize: 3 };
    expect(() => createLocalEmbedder(misspelt)).toThrow(expect.objectContaining({ code: 'E_CONFIG' }));
  });
});

describe('lifecycle', () => {
  it('may be closed before it was opened, and twice', async () => {
    let closed = 0;
    const embedder = embedderOver({ close: async () => void closed++ });
    await embedder.close();
    await embedder.open();
    await Promise.all([embedder.close(), embedder.close()]);
    expect(closed).toBe(1);
  });

  it('opens one model for many opens at once', async () => {
    let opened = 0;
    const embedder = createEmbedder(BUNDLED_MANIFEST, () => Promise.reject(new Error(`no ${++opened}`)), 1);
    const results = await Promise.allSettled([embedder.open(), embedder.open()]);
    expect(results.map((each) => each.status)).toEqual(['rejected', 'rejected']);
    expect(opened).toBe(1);
  });

  it('may be opened again after opening failed', async () => {
    let opened = 0;
    const embedder = createEmbedder(BUNDLED_MANIFEST, () => Promise.reject(new Error(`no ${++opened}`)), 1);
    await expect(embedder.open()).rejects.toThrow('no 1');
    await expect(embedder.open()).rejects.toThrow('no 2');
    await embedder.close();
  });

  it('refuses to embed before open and after close', async () => {
    const embedder = embedderOver({});
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await embedder.open();
    await embedder.close();
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });

  it('ends the work under way before it lets the model go', async () => {
    const [entered, leave] = [gate(), gate()];
    const order: string[] = [];
    const embedder = embedderOver(
      {
        async run(windows) {
          entered.open();
          await leave.passed;
          order.push('run');
          return windows.map(() => axis(0));
        },
        close: async () => void order.push('close'),
      },
      1,
    );
    await embedder.open();
    const work = embedder.embed(['a', 'b', 'c']);
    await entered.passed;
    const closing = embedder.close();
    leave.open();
    await expect(work).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await closing;
    expect(order).toEqual(['run', 'close']);
  });
});

describe('embed', () => {
  it.each(['', ' \n\t'])(
    'refuses %j, naming its place, and embeds nothing of the call (B32)',
    async (bad) => {
      let runs = 0;
      const embedder = embedderOver({ run: async () => [axis(runs++)] });
      await embedder.open();
      await expect(embedder.embed(['good', bad])).rejects.toMatchObject({
        code: 'E_INVALID',
        message: expect.stringContaining('texts[1]'),
      });
      expect(runs).toBe(0);
      await embedder.close();
    },
  );

  it('gives nothing for nothing', async () => {
    const embedder = embedderOver({});
    await embedder.open();
    expect(await embedder.embed([])).toEqual([]);
    await embedder.close();
  });

  it('works on the texts as they were when it was called, and leaves them alone', async () => {
    const embedder = embedderOver({});
    await embedder.open();
    const texts = ['Hello', 'x'];
    const work = embedder.embed(texts);
    texts[0] = '';
    texts.pop();
    expect(await work).toEqual([axis(341), axis(649)]);
    expect(texts).toEqual(['']);
    await embedder.close();
  });

  it('averages the windows of a long text and brings the mean to length 1', async () => {
    let calls = 0;
    const embedder = embedderOver({ run: async (windows) => windows.map(() => axis(calls++)) });
    await embedder.open();
    const [vector] = await embedder.embed(['the '.repeat(129)]);
    expect(vector?.subarray(0, 3)).toEqual(Float32Array.of(Math.SQRT1_2, Math.SQRT1_2, 0));
    await embedder.close();
  });

  it('runs one call at a time, in the order of the calls, and goes on after one that failed', async () => {
    const seen: number[] = [];
    const embedder = embedderOver({
      async run(windows) {
        seen.push(windows[0]?.[0] ?? 0);
        if (seen.length === 1) throw new Error('out of memory');
        return windows.map(() => axis(0));
      },
    });
    await embedder.open();
    const results = await Promise.allSettled(['x', 'Hello'].map((text) => embedder.embed([text])));
    expect(results.map((each) => each.status)).toEqual(['rejected', 'fulfilled']);
    expect(seen).toEqual([649, 341]);
    await embedder.close();
  });

  it('stops between batches when it is aborted, with the reason as cause', async () => {
    const controller = new AbortController();
    let runs = 0;
    const run = async (windows: readonly Int32Array[]): Promise<Float32Array[]> => {
      if (++runs === 2) controller.abort('enough');
      return windows.map(() => axis(0));
    };
    const embedder = embedderOver({ run }, 1);
    await embedder.open();
    const work = embedder.embed(['a', 'b', 'c', 'd'], controller.signal);
    await expect(work).rejects.toMatchObject({ code: 'E_ABORTED', cause: 'enough' });
    expect(runs).toBe(2);
    await expect(embedder.embed(['a'], controller.signal)).rejects.toMatchObject({ code: 'E_ABORTED' });
    await expect(embedder.open(controller.signal)).rejects.toMatchObject({ code: 'E_ABORTED' });
    await embedder.close();
  });

  it.each([
    ['zeros', () => [new Float32Array(512)]],
    ['NaN', () => [new Float32Array(512).fill(Number.NaN)]],
    ['nothing', () => []],
  ])('refuses a runtime that gives %s (B16)', async (_, answer) => {
    const embedder = embedderOver({ run: async () => answer() });
    await embedder.open();
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'E_STORAGE' });
    await embedder.close();
  });
});
