import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type QdrantDouble, startQdrantDouble } from '@pagefault/doubles';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Overrides, redacted, start } from '../src/index.js';

const KEY = 'key-of-the-index';
const base: Overrides = { recall: 'memory', processor: 'reflex' };
let double: QdrantDouble;

afterEach(() => double.close());

describe('archival on Qdrant by configuration', () => {
  beforeEach(async () => void (double = await startQdrantDouble({ basePath: '/index' })));

  it.each([
    ['an address', () => double.url.replace('http', 'qdrant')],
    ['an object', () => ({ driver: 'qdrant', url: double.url, collection: 'ours' })],
  ])('is named by %s, and holds what was said', async (_, archival) => {
    await using machine = await start({ env: {}, overrides: { ...base, archival: archival() } });
    const process = await machine.kernel.spawn();
    await process.append([{ text: 'Our herd of alpacas grew.' }, { text: 'A boat came in.' }]);
    await machine.kernel.settle();
    const { hits } = await process.search({ collection: 'messages', query: 'which animals do we have' });
    expect(hits[0]?.text).toBe('Our herd of alpacas grew.');
    const [collection] = double.state.values();
    expect([collection?.size, collection?.points.size]).toEqual([512, 2]);
  });

  it('names in its errors where the fault is in the file', async () => {
    const wrong = (archival: unknown) => start({ env: {}, overrides: { ...base, archival } });
    await expect(wrong({ driver: 'qdrant', colection: 'c' })).rejects.toThrow(/archival\.qdrant\.colection: unknown key/); // prettier-ignore
    await expect(wrong('Qdrant')).rejects.toThrow(/archival: unknown name "Qdrant"; did you mean "qdrant"\?; known: .*qdrant/); // prettier-ignore
    await expect(wrong('qdrant://h?a=1')).rejects.toMatchObject({ code: 'E_CONFIG' });
    const alone = start({ env: {}, overrides: { ...base, embedder: 'none', archival: 'qdrant' } });
    await expect(alone).rejects.toThrow(/"qdrant" needs an embedder/);
    expect(double.requests).toEqual([]);
  });
});

it('starts without an index that cannot be reached, says so, and finds what words find', async () => {
  double = await startQdrantDouble();
  await double.close();
  await using machine = await start({
    env: {},
    overrides: { ...base, archival: double.url.replace('http', 'qdrant') },
  });
  expect(machine.notes).toEqual([expect.stringMatching(/^archival: qdrant cannot be reached/)]);
  const process = await machine.kernel.spawn();
  await process.append([{ text: 'Our herd of alpacas grew.' }]);
  expect((await process.search({ collection: 'messages', query: 'alpacas' })).hits).toHaveLength(1);
});

it('takes the key of Qdrant from the environment where the file says so, and never shows it', async () => {
  double = await startQdrantDouble({ apiKey: KEY });
  const cwd = await mkdtemp(join(tmpdir(), 'pagefault-qdrant-'));
  try {
    const archival = { driver: 'qdrant', url: double.url, apiKey: '${QDRANT_API_KEY}' };
    await writeFile(join(cwd, 'pagefault.config.json'), JSON.stringify({ ...base, archival }));
    const wrong = start({ cwd, env: { QDRANT_API_KEY: 'another-key' } });
    await expect(wrong).rejects.toMatchObject({
      code: 'E_AUTH',
      message: expect.not.stringContaining('another-key'),
    });
    await using machine = await start({ cwd, env: { QDRANT_API_KEY: KEY } });
    expect(JSON.stringify(redacted(machine.config))).not.toContain(KEY);
    expect(double.state.size).toBe(1);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
