import { LATEST } from '@pagefault/contracts';
import { migrate } from '@pagefault/driver-kit';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresRecall } from '../src/index.js';
import { migrationsOf } from '../src/schema.js';

const sql = createPgliteSql({ dataDir: MEMORY });

beforeAll(() => sql.open());
afterAll(() => sql.close());

describe('migrations', () => {
  it('run once when several start at once (B10, B11)', async () => {
    const drivers = Array.from({ length: 5 }, () => createPostgresRecall({ sql, schema: 'race' }));
    await Promise.all(drivers.map((driver) => driver.open()));
    for (const [i, driver] of drivers.entries()) await driver.commit({ pid: `p${i}` });
  });

  it('refuse a store of a newer version, and say what to do', async () => {
    await createPostgresRecall({ sql, schema: 'newer' }).open();
    await sql.query(
      "insert into newer.migrations (component, position, name) values ('recall', 9, 'from the future')",
    );
    await expect(createPostgresRecall({ sql, schema: 'newer' }).open()).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('from the future'),
      hint: expect.stringContaining('upgrade'),
    });
  });

  it('bring a store from before single messages could be erased up to date, with what is in it', async () => {
    const schema = 'older';
    const older = migrationsOf(`"${schema}"`).slice(0, 2); // tables and functions
    await migrate(sql, { schema, component: 'recall', migrations: older });
    await sql.query("insert into older.processes (pid) values ('p')");
    await sql.query(
      'insert into older.log (num, seq, page, id, at, message) ' +
        `select num, 1, 1, 'm1', 1, '{"id":"m1","role":"user","at":1,"parts":[]}' from older.processes`,
    );
    await sql.query(
      'insert into older.documents (num, collection, ordinal, seq, ref, session, speaker, at, length) ' +
        "select num, 0, 0, 1, 'm1', '', '', 1, 3 from older.processes",
    );
    const recall = createPostgresRecall({ sql, schema });
    await recall.open();
    const lineage = [{ pid: 'p', upTo: LATEST }];
    const document = { ordinal: 0, seq: 1, ref: 'm1', session: '', speaker: '', at: 1, length: 3 };
    expect(await recall.documents(lineage, 'messages', [0])).toEqual([document]);
    await recall.commit({
      pid: 'p',
      documents: [{ ...document, collection: 'messages', ordinal: 1, digest: 'd', terms: [] }],
    });
    expect(await recall.documents(lineage, 'messages', [1])).toEqual([
      { ...document, ordinal: 1, digest: 'd' },
    ]);
    expect(await recall.erase({ pid: 'p', seqs: [1] })).toBe(1);
    expect((await recall.stats(lineage)).lastSeq).toBe(1);
  });

  it('leave nothing behind when one fails, and can be tried again', async () => {
    const good = { name: 'good', statements: ['create table half.good (id int)'] };
    const plan = { schema: 'half', component: 'test' };
    const bad = { name: 'bad', statements: ['create table half.bad (id int)', 'selekt'] };
    await expect(migrate(sql, { ...plan, migrations: [good, bad] })).rejects.toMatchObject({
      code: 'E_STORAGE',
    });
    await migrate(sql, { ...plan, migrations: [good] });
    const { rows } = await sql.query("select table_name as name from information_schema.tables where table_schema = 'half' order by 1"); // prettier-ignore
    expect(rows).toEqual([{ name: 'good' }, { name: 'migrations' }]);
  });
});

describe('recall on PostgreSQL', () => {
  const recall = createPostgresRecall({ sql });
  beforeAll(() => recall.open());

  it('gives back NUL and lone surrogates in messages as they were (B01)', async () => {
    const text = 'x\0y \ud800 \\u0000';
    await recall.commit({
      pid: 'odd',
      appends: [
        { seq: 1, page: 1, message: { id: 'm1', role: 'user', at: 1, parts: [{ type: 'text', text }] } },
      ],
    });
    const { items } = await recall.read([{ pid: 'odd', upTo: LATEST }], { limit: 1 });
    expect(items[0]?.message.parts).toEqual([{ type: 'text', text }]);
  });

  it('refuses a key that text cannot hold, and writes nothing', async () => {
    for (const key of ['a\0b', '\ud800']) {
      const work = recall.commit({
        pid: 'odd-key',
        puts: [
          { space: 's', key: 'fine', value: 1 },
          { space: 's', key, value: 1 },
        ],
      });
      await expect(work).rejects.toMatchObject({ code: 'E_INVALID' });
    }
    expect(await recall.load('odd-key', ['s'])).toEqual([]);
  });

  it('never gives a fence twice, also not to a process that was erased', async () => {
    const first = await recall.acquireLease('fenced', 'a', 60_000);
    await recall.erase({ pid: 'fenced', whole: true });
    const second = await recall.acquireLease('fenced', 'b', 60_000);
    expect(second?.fence).toBeGreaterThan(first?.fence ?? Infinity);
    await expect(recall.commit({ pid: 'fenced', fence: first?.fence ?? 0 })).rejects.toMatchObject({
      code: 'E_LEASE_LOST',
    });
  });

  it('names a schema that PostgreSQL would cut off or misread', () => {
    expect(() => createPostgresRecall({ sql, schema: 'Käse"' })).toThrow(/recall\.postgres\.schema/);
  });
});
