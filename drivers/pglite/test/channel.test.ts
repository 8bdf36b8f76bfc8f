import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Channel } from '../src/channel.js';
import { createPgliteSql } from '../src/index.js';
import { defaultCacheDir } from '../src/options.js';
import { SeedCache } from '../src/seed.js';
import { openStore } from '../src/store.js';
import { temporaryFolder } from './folders.js';

const folder = temporaryFolder();
const seeds = new SeedCache(defaultCacheDir());

function place(name: string, fsync = true): Parameters<typeof openStore>[0] {
  return { name, dataDir: join(folder, name), fsync, seeds };
}

async function syncs(channel: Channel): Promise<number> {
  return ((await channel.call({ op: 'inspect' })) as { syncs: number }).syncs;
}

describe('the worker thread', () => {
  it('syncs the disk at each commit, unless it was told not to', async () => {
    for (const fsync of [true, false]) {
      const { channel, settled } = await openStore(place(`sync-${fsync}`, fsync));
      await settled;
      await channel.query({ op: 'query', text: 'create table synced (id int)', values: [] });
      const before = await syncs(channel);
      for (let i = 0; i < 5; i += 1) {
        await channel.query({ op: 'query', text: 'insert into synced values ($1)', values: [i] });
      }
      const made = (await syncs(channel)) - before;
      expect(fsync ? made >= 5 : made === 0, `${made} syncs`).toBe(true);
      await channel.terminate();
    }
  });

  it('that ends rejects every call in flight and every later one, frees the directory, and can be opened anew', async () => {
    const { channel, settled } = await openStore(place('dies'));
    await settled;
    const slow = channel.query({
      op: 'query',
      text: 'select count(*) from generate_series(1, 1e9)',
      values: [],
    });
    const behind = channel.query({ op: 'query', text: 'select 1', values: [] });
    const outcomes = Promise.allSettled([slow, behind]);
    await channel.terminate();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'E_STORAGE' } });
    }
    await expect(channel.call({ op: 'inspect' })).rejects.toMatchObject({ code: 'E_STORAGE' });
    expect(readdirSync(join(folder, 'dies', 'lock'))).toEqual([]);

    const sql = createPgliteSql({ dataDir: join(folder, 'dies') });
    await sql.open();
    expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await sql.close();
  });
});
