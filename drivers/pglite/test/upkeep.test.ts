import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultCacheDir } from '../src/options.js';
import type { RawResult } from '../src/protocol.js';
import { SeedCache } from '../src/seed.js';
import { openStore } from '../src/store.js';

// The worker is plain JavaScript; this is the slice of it that the test uses.
interface Upkeep {
  noticed(): void;
  run(): Promise<void>;
}
const file = new URL('../worker/upkeep.mjs', import.meta.url);
const { Upkeep } = (await import(file.href)) as {
  Upkeep: new (db: unknown, files: { walSegments: number }) => Upkeep;
};

function fakeDatabase(inTransaction = false): {
  sent: string[];
  isInTransaction(): boolean;
  query(text: string): Promise<unknown>;
} {
  const sent: string[] = [];
  const rows = [
    { name: 'a.rows', toast: false },
    { name: 'pg_toast.x', toast: true },
  ];
  return {
    sent,
    isInTransaction: () => inTransaction,
    query: async (text) => {
      sent.push(text.trim().split('\n')[0] ?? '');
      return { rows: text.includes('pg_stat_all_tables') ? rows : [] };
    },
  };
}

describe('the upkeep of a database in process', () => {
  it('checkpoints once for every four segments of the log', async () => {
    const db = fakeDatabase();
    const files = { walSegments: 1 };
    const upkeep = new Upkeep(db, files);
    for (; files.walSegments <= 12; files.walSegments += 1) await upkeep.run();
    expect(db.sent).toEqual(['checkpoint', 'checkpoint', 'checkpoint']);
  });

  it('vacuums tables with many dead rows once in a thousand statements', async () => {
    const db = fakeDatabase();
    const upkeep = new Upkeep(db, { walSegments: 0 });
    for (let i = 0; i < 1_500; i += 1) {
      upkeep.noticed();
      await upkeep.run();
    }
    expect(db.sent.slice(1)).toEqual(['vacuum analyze a.rows', 'vacuum pg_toast.x']);
  });

  it('never gets into a transaction', async () => {
    const db = fakeDatabase(true);
    await new Upkeep(db, { walSegments: 99 }).run();
    expect(db.sent).toEqual([]);
  });

  it('keeps a row that is rewritten all the time from growing, large values included', async () => {
    const seeds = new SeedCache(defaultCacheDir());
    const { channel, settled } = await openStore({ name: 'upkeep', dataDir: undefined, fsync: false, seeds });
    await settled;
    const query = (text: string): Promise<RawResult> => channel.query({ op: 'query', text, values: [] });
    await query('create table often (id int primary key, stuff text)');
    await query('alter table often alter column stuff set storage external');
    await query("insert into often values (1, repeat('x', 20000))");
    for (let i = 0; i < 3_500; i += 1) await query("update often set stuff = repeat('y', 20000)");
    const { rows } = await query("select pg_total_relation_size('often')");
    // 3,500 versions of 20 kB would be 77 MB.
    expect(rows[0]?.[0]).toBeLessThan(45_000_000);
    expect(await channel.call({ op: 'inspect' })).toMatchObject({ upkeepProblem: undefined });
    await channel.terminate();
  });
});

it('the worker is found from the sources and from the build alike', () => {
  for (const folder of ['src', 'dist']) {
    expect(existsSync(new URL(`../${folder}/../worker/main.mjs`, import.meta.url))).toBe(true);
  }
});
