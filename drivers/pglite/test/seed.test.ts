import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPgliteSql, defaultCacheDir, MEMORY } from '../src/index.js';
import { SeedCache } from '../src/seed.js';
import { temporaryFolder } from './folders.js';

const folder = temporaryFolder();

async function opens(cacheDir: string): Promise<void> {
  const sql = createPgliteSql({ dataDir: MEMORY, cacheDir });
  await sql.open();
  await sql.query('create extension if not exists vector');
  await sql.close();
}

describe('the seed', () => {
  it('is made at a first open, and made again when it is damaged', async () => {
    const cacheDir = join(folder, 'cache');
    await opens(cacheDir);
    const { file } = new SeedCache(cacheDir);
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    await opens(cacheDir);
    expect(readFileSync(file).length).toBeGreaterThan(whole.length / 2 + 1);
    expect(readdirSync(cacheDir)).toHaveLength(1);
    await opens(cacheDir);
  });

  // In /proc, where there is one, a folder can never be made although its parent is there.
  it.each([join(folder, 'file', 'cache'), '/proc/x/cache'])(
    'is done without when the cache folder cannot be made: %s',
    async (cacheDir) => {
      writeFileSync(join(folder, 'file'), '');
      await opens(process.platform === 'linux' ? cacheDir : join(folder, 'file', 'cache'));
      expect(existsSync(cacheDir)).toBe(false);
    },
  );

  it('lives where the environment says', () => {
    expect(defaultCacheDir({ PAGEFAULT_CACHE_DIR: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
    expect(defaultCacheDir({ XDG_CACHE_HOME: '/b' })).toBe('/b/pagefault');
    expect(defaultCacheDir({})).toMatch(/[/\\]\.cache[/\\]pagefault$/);
  });
});
