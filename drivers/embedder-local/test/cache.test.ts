import type { PagefaultError } from '@pagefault/contracts';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalEmbedder } from '../src/index.js';
import { cached, cacheFolder } from '../src/onnx/cache.js';
import { temporaryFolder } from './support.js';

const never = (warning: PagefaultError): never => {
  throw warning;
};

describe('the place of the cache', () => {
  it('is the option, else PAGEFAULT_CACHE_DIR, else XDG_CACHE_HOME, else the home folder', () => {
    const env = { PAGEFAULT_CACHE_DIR: '/own', XDG_CACHE_HOME: '/xdg' };
    expect(cacheFolder('/option', env)).toBe('/option');
    expect(cacheFolder(undefined, env)).toBe('/own');
    expect(cacheFolder(undefined, { ...env, PAGEFAULT_CACHE_DIR: '' })).toBe(join('/xdg', 'pagefault'));
    expect(cacheFolder(undefined, {})).toBe(join(homedir(), '.cache', 'pagefault'));
  });
});

describe('the cache', () => {
  const root = temporaryFolder();
  let builds = 0;
  const build = async (): Promise<Uint8Array> => {
    builds++;
    return Uint8Array.of(1, 2, 3);
  };
  const fresh = async (name: string): Promise<string> => {
    builds = 0;
    await mkdir(join(root(), name));
    return join(root(), name);
  };

  it('builds once, then reads, and leaves one file', async () => {
    const folder = join(await fresh('once'), 'made', 'when', 'needed');
    for (let i = 0; i < 3; i++) expect([...(await cached(folder, 'g', build, never))]).toEqual([1, 2, 3]);
    expect(builds).toBe(1);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^g\.[0-9a-f]{64}\.onnx$/)]);
  });

  it.each([
    ['cut short', (file: string) => truncate(file, 2)],
    ['emptied', (file: string) => truncate(file, 0)],
    ['changed', (file: string) => writeFile(file, Uint8Array.of(1, 2, 4))],
  ])('builds again when the file was %s', async (how, damage) => {
    const folder = await fresh(how);
    await cached(folder, 'g', build, never);
    const [name] = await readdir(folder);
    await damage(join(folder, name ?? ''));
    expect([...(await cached(folder, 'g', build, never))]).toEqual([1, 2, 3]);
    expect(builds).toBe(2);
    expect([...(await readFile(join(folder, name ?? '')))]).toEqual([1, 2, 3]);
  });

  it('serves many that start at once', async () => {
    const folder = await fresh('many');
    const all = await Promise.all(Array.from({ length: 8 }, () => cached(folder, 'g', build, never)));
    expect(all.every((bytes) => bytes.length === 3)).toBe(true);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('does without a folder that cannot be used, and says so once', async () => {
    const file = join(await fresh('file'), 'a-file');
    await writeFile(file, 'not a folder');
    const warnings: PagefaultError[] = [];
    const bytes = await cached(join(file, 'below'), 'g', build, (warning) => warnings.push(warning));
    expect([...bytes]).toEqual([1, 2, 3]);
    expect(warnings).toMatchObject([
      { code: 'E_STORAGE', hint: expect.stringContaining('PAGEFAULT_CACHE_DIR'), cause: { code: 'ENOTDIR' } },
    ]);
  });

  it('passes on that building failed, and leaves nothing behind', async () => {
    const folder = await fresh('failing');
    const failing = (): Promise<never> => Promise.reject(new Error('no weights'));
    await expect(cached(folder, 'g', failing, never)).rejects.toThrow('no weights');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the embedder on its cache', () => {
  const root = temporaryFolder();
  const embedOnce = async (cacheDir: string, onWarning = never as (w: PagefaultError) => void) => {
    const embedder = createLocalEmbedder({ cacheDir, onWarning, runtime: 'onnx' });
    await embedder.open();
    const [vector] = await embedder.embed(['I breed alpacas in Cork.']);
    await embedder.close();
    return vector;
  };

  it('gives the same vector with a new graph, a kept one, a damaged one and without a folder', async () => {
    const built = await embedOnce(root());
    expect(await embedOnce(root())).toEqual(built);
    const [name] = await readdir(root());
    await truncate(join(root(), name ?? ''), 10_000_000);
    expect(await embedOnce(root())).toEqual(built);
    expect(await readdir(root())).toEqual([name]);
    await rm(join(root(), name ?? ''));
    await writeFile(join(root(), 'file'), '');
    const warnings: PagefaultError[] = [];
    expect(await embedOnce(join(root(), 'file'), (warning) => warnings.push(warning))).toEqual(built);
    expect(warnings).toHaveLength(1);
  });
});
