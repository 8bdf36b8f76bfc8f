/** Scopes that are searched by the index, in the embedded database and on a server that has pgvector. */
import type { ArchivalDriver, PagefaultError } from '@pagefault/contracts';
import type { SqlPort } from '@pagefault/driver-kit';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPgvectorArchival } from '../src/index.js';
import { prepare } from '../src/schema.js';
import { nearestStatement } from '../src/nearest.js';
import { findServer, otherDatabase } from './support/server.js';
import { Heaps, idsOf, indexed } from './support/vectors.js';

const embedded = createPgliteSql({ dataDir: MEMORY });
beforeAll(() => embedded.open());
afterAll(() => embedded.close());
describe('the index (embedded)', () => onDatabase(embedded, 1_000));

it('is not used in the embedded database unless it is asked for: its making would stop all else', async () => {
  const { supports } = createPgvectorArchival({ sql: embedded, dimension: 3 });
  expect(supports.exact).toBe(true);
});

const server = await findServer();
afterAll(() => server.sql?.close());
if (server.sql === undefined) it('the index (server)', ({ skip }) => skip(server.lack));
else {
  const { sql } = server;
  describe('the index (server)', () => {
    onDatabase(sql, 10_000);
    onServerAlone(sql);
  });
}

/** Where several may use the database, and the making of an index can be stopped. */
function onServerAlone(sql: SqlPort): void {
  it('leaves nothing behind when the driver is closed while it is made, and is made the next time', async () => {
    const schema = 'index_stopped';
    await sql.query(`drop schema if exists ${schema} cascade`);
    const dimension = 256;
    const options = { sql, dimension, schema, indexFrom: 100 };
    const driver = createPgvectorArchival(options);
    await driver.open();
    const heaps = new Heaps(dimension);
    await driver.upsert('s', heaps.entries('e', 5_000));
    await idsOf(driver, 's', heaps.vector(), 1);
    await driver.close();
    const { rows } = await sql.query('select to_regclass($1) as made', [`${schema}.vectors_by_meaning`]);
    expect(rows).toEqual([{ made: null }]);
    const next = createPgvectorArchival(options);
    await next.open();
    await idsOf(next, 's', heaps.vector(), 1);
    await indexed(sql, schema);
    await next.close();
    await sql.query(`drop schema ${schema} cascade`);
  });

  it('works with the extension in a schema of its own, off the search path (B33)', async () => {
    // In a database of its own: others use the extension where it is.
    await sql.query('drop database if exists pagefault_extension');
    await sql.query('create database pagefault_extension');
    const other = await otherDatabase('pagefault_extension');
    await other.query('create schema ext');
    await other.query('create extension vector schema ext');
    const schema = 'elsewhere';
    const driver = createPgvectorArchival({ sql: other, dimension: 3_000, schema, indexFrom: 10 });
    await driver.open();
    const heaps = new Heaps(3_000, 3);
    await driver.upsert('s', heaps.entries('e', 20));
    await idsOf(driver, 's', heaps.vector(), 1);
    await indexed(other, schema);
    expect(await idsOf(driver, 's', heaps.vector(), 5)).toHaveLength(5);
    await driver.close();
    await other.close();
    await sql.query('drop database pagefault_extension');
  });
}

async function openIndexed(sql: SqlPort, schema: string, dimension: number): Promise<ArchivalDriver> {
  const driver = createPgvectorArchival({ sql, dimension, schema, indexFrom: 50 });
  await driver.open();
  const heaps = new Heaps(dimension);
  await driver.upsert('s', heaps.entries('e', 200));
  await idsOf(driver, 's', heaps.vector(), 1);
  await indexed(sql, schema);
  return driver;
}

function onDatabase(sql: SqlPort, size: number): void {
  const schemas: string[] = [];
  /** Empty, whatever a run that was killed has left. */
  const schemaOf = async (name: string): Promise<string> => {
    const schema = `index_${name}`;
    await sql.query(`drop schema if exists ${schema} cascade`);
    schemas.push(schema);
    return schema;
  };
  afterAll(async () => {
    for (const schema of schemas) await sql.query(`drop schema if exists ${schema} cascade`);
  });

  it('is made when a scope grew large, and finds what a scan finds (B15)', async () => {
    const dimension = 32;
    const schema = await schemaOf('grown');
    const exact = createPgvectorArchival({ sql, dimension, schema, indexFrom: 1_000_000 });
    const driver = createPgvectorArchival({ sql, dimension, schema, indexFrom: size });
    await driver.open();
    await exact.open();
    expect(driver.supports.exact).toBe(false);
    const heaps = new Heaps(dimension);
    await driver.upsert('s', heaps.entries('e', size - 1));
    await idsOf(driver, 's', heaps.vector(), 1);
    const has = 'select to_regclass($1) is not null as there';
    expect((await sql.query(has, [`${schema}.vectors_by_meaning`])).rows).toEqual([{ there: false }]);
    await driver.upsert('s', heaps.entries('last', 1));
    await idsOf(driver, 's', heaps.vector(), 1);
    await indexed(sql, schema);
    let same = 0;
    const queries = 30;
    for (let i = 0; i < queries; i += 1) {
      const vector = heaps.vector();
      const wanted = new Set(await idsOf(exact, 's', vector, 10));
      same += (await idsOf(driver, 's', vector, 10)).filter((id) => wanted.has(id)).length;
    }
    expect(same / (queries * 10)).toBeGreaterThan(0.95);
    for (const limit of [100, 1_000]) {
      expect(new Set(await idsOf(driver, 's', heaps.vector(), limit)).size).toBe(limit);
    }
    // What is written afterwards is found too.
    const later = { id: 'later', vector: heaps.vector(), at: 0 };
    await driver.upsert('s', [later]);
    expect(await idsOf(driver, 's', later.vector, 1)).toEqual(['later']);
    await driver.close();
    await exact.close();
  });

  it('is told of among the facts, with server and extension, before and after it is made', async () => {
    const dimension = 2_100;
    const schema = await schemaOf('facts');
    const driver = createPgvectorArchival({ sql, dimension, schema, indexFrom: 20 });
    await expect(driver.facts?.()).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await driver.open();
    const value = async (name: string) => (await driver.facts?.())?.find((fact) => fact.name === name)?.value;
    expect(await value('server')).toMatch(/^PostgreSQL \d+\.\d+.* with pgvector \d+\.\d+\.\d+$/);
    expect(await value('place')).toBe(sql.description);
    expect(await value('index')).toBe('none yet: made for scopes of 20 vectors and more');
    const heaps = new Heaps(dimension, 3);
    await driver.upsert('s', heaps.entries('e', 30));
    await sql.query(`analyze ${schema}.vectors`);
    expect(await value('vectors')).toMatch(/^about 30, \d+ MiB$/);
    await idsOf(driver, 's', heaps.vector(), 1);
    await indexed(sql, schema);
    expect(await value('index')).toBe('HNSW by halfvec(2100)');
    await driver.close();
  });

  it('fills the limit from what passes a filter, and for a scope far from the query beside a big near one (B14)', async () => {
    const dimension = 8;
    const schema = await schemaOf('filtered');
    const driver = createPgvectorArchival({ sql, dimension, schema, indexFrom: 50 });
    await driver.open();
    const near = new Heaps(dimension, 2);
    await driver.upsert('big', near.entries('n', size, 0.1, 0));
    await driver.upsert('small', near.entries('f', 60, 0.1, 1));
    const query = near.vector(0.1, 0);
    for (const scope of ['big', 'small']) await idsOf(driver, scope, query, 1);
    await indexed(sql, schema);
    await idsOf(driver, 'small', query, 1);
    expect(await idsOf(driver, 'small', query, 20)).toHaveLength(20);
    const late = await driver.query({ scope: 'big', vector: query, limit: 20, since: size - 30 });
    expect(late).toHaveLength(20);
    for (const { id } of late) expect(Number(id.slice(1))).toBeGreaterThanOrEqual(size - 30);
    await driver.close();
  });

  it('of a former version gets the function that searches by it, and keeps the one that others still call', async () => {
    const dimension = 8;
    const schema = await schemaOf('former');
    const former = await openIndexed(sql, schema, dimension);
    const functions = async (): Promise<unknown> =>
      (
        await sql.query(
          "select pg_get_function_identity_arguments(p.oid) as given from pg_proc p where p.oid::regproc::text like $1 || '.%'",
          [schema],
        )
      ).rows;
    await sql.query(`drop function ${schema}.vectors_nearest`);
    await sql.query(
      `create function ${schema}.vectors_nearest(
         text, vector text, since double precision, until double precision, candidates int, hits bigint)
       returns table (id text, score double precision) language sql as $$ select 'of the former', 1::double precision $$`,
    );
    await former.close();
    const driver = createPgvectorArchival({ sql, dimension, schema, indexFrom: 50 });
    await driver.open();
    const vector = new Heaps(dimension).vector();
    const scanned = await idsOf(driver, 's', vector, 10);
    await vi.waitFor(async () => expect(await functions()).toHaveLength(2), { timeout: 120_000 });
    expect(await idsOf(driver, 's', vector, 10)).toEqual(scanned);
    await driver.close();
  });

  it.each([1_536, 3_072])(
    'is what the plan of a search goes by, with %i numbers a vector (B12, B13)',
    async (dimension) => {
      const schema = await schemaOf(`plan${dimension}`);
      const warnings: PagefaultError[] = [];
      const onWarning = (warning: PagefaultError): void => void warnings.push(warning);
      const driver = createPgvectorArchival({ sql, dimension, schema, indexFrom: 20, onWarning });
      await driver.open();
      const heaps = new Heaps(dimension, 5);
      await driver.upsert('s', heaps.entries('e', 60));
      const vector = heaps.vector();
      const exact = await driver.query({ scope: 's', vector, limit: 10 });
      await indexed(sql, schema);
      const query = { scope: 's', vector, limit: 10 };
      const found = await driver.query(query);
      expect(found.map(({ id }) => id)).toEqual(exact.map(({ id }) => id));
      expect(found.map(({ score }) => score.toFixed(6))).toEqual(exact.map(({ score }) => score.toFixed(6)));
      const text = nearestStatement(await prepare(sql, schema, dimension), dimension);
      const values = ['s', `[${vector.join(',')}]`, null, null, 30];
      const plan = await sql.transaction(async (session) => {
        await session.query(
          "select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)",
        );
        return session.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      });
      expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('vectors_by_meaning');
      expect(warnings).toEqual([]);
      await driver.close();
    },
  );

  it('cannot be over 4,000 numbers: that is said at open, and every query scans (B12)', async () => {
    const schema = await schemaOf('wide');
    const warnings: PagefaultError[] = [];
    const onWarning = (warning: PagefaultError): void => void warnings.push(warning);
    const driver = createPgvectorArchival({ sql, dimension: 4_096, schema, indexFrom: 2, onWarning });
    await driver.open();
    expect(driver.supports.exact).toBe(true);
    expect(warnings).toMatchObject([
      { code: 'E_UNSUPPORTED', message: expect.stringMatching(/4096 numbers.* 4000/) as string },
    ]);
    await driver.upsert('s', new Heaps(4_096).entries('e', 9));
    expect(await idsOf(driver, 's', new Heaps(4_096).vector(), 5)).toHaveLength(5);
    await driver.close();
  });

  it('that cannot be made is told of once, and the scope is scanned', async () => {
    const schema = await schemaOf('broken');
    const warnings: PagefaultError[] = [];
    const onWarning = (warning: PagefaultError): void => void warnings.push(warning);
    const refusing: SqlPort = {
      description: sql.description,
      supports: sql.supports,
      open: () => sql.open(),
      close: async () => undefined,
      query: (text, values) => sql.query(text, values),
      transaction: (work, signal, options) =>
        options?.isLong ? Promise.reject(new Error('could not extend file')) : sql.transaction(work, signal),
    };
    const driver = createPgvectorArchival({ sql: refusing, dimension: 4, schema, indexFrom: 2, onWarning });
    await driver.open();
    await driver.upsert('s', new Heaps(4).entries('e', 9));
    for (let i = 0; i < 3; i += 1)
      expect(await idsOf(driver, 's', Float32Array.of(1, 0, 0, 0), 9)).toHaveLength(9);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toContain('could not extend file');
    await driver.close();
  });
}
