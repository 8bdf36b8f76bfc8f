/** Many entries at once, in the embedded database, on a server that has pgvector, and behind poolers. */
import type { ArchivalDriver, VectorEntry } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { findBouncer, startBouncer, startPoolerDouble } from '@pagefault/doubles';
import type { SqlPort, SqlSession } from '@pagefault/driver-kit';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { createPgSql } from '@pagefault/driver-recall-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgvectorArchival } from '../src/index.js';
import { COPY_BYTES, COPY_FROM } from '../src/options.js';
import { findServer } from './support/server.js';
import { Heaps, idsOf } from './support/vectors.js';

const embedded = createPgliteSql({ dataDir: MEMORY });
beforeAll(() => embedded.open());
afterAll(() => embedded.close());
describe('a bulk load (embedded)', () => onDatabase(embedded));

const server = await findServer();
afterAll(() => server.sql?.close());
if (server.sql === undefined) it('a bulk load (server)', ({ skip }) => skip(server.lack));
else {
  const { sql } = server;
  describe('a bulk load (server)', () => {
    onDatabase(sql);
    whenSeveralWrite(sql);
  });
  behindPoolers();
}

/** The port with something done to the sessions of its transactions. */
function altered(sql: SqlPort, alter: (session: SqlSession) => SqlSession): SqlPort {
  return {
    description: sql.description,
    supports: sql.supports,
    open: (signal) => sql.open(signal),
    close: () => sql.close(),
    query: (text, values, signal) => sql.query(text, values, signal),
    transaction: (work, signal, options) =>
      sql.transaction((session) => work(alter(session)), signal, options),
  };
}

const withoutCopy = ({ query }: SqlSession): SqlSession => ({ query });

function counting(copies: Uint8Array[]): (session: SqlSession) => SqlSession {
  return (session) => ({
    query: (text, values, signal) => session.query(text, values, signal),
    async copyIn(table, rows) {
      copies.push(rows);
      await session.copyIn?.(table, rows);
    },
  });
}

const refusing =
  (from: number): ((session: SqlSession) => SqlSession) =>
  (session) => {
    let copies = 0;
    return {
      query: (text, values, signal) => session.query(text, values, signal),
      async copyIn(table, rows) {
        if (++copies >= from) throw new PagefaultError('E_STORAGE', 'the disk is full');
        await session.copyIn?.(table, rows);
      },
    };
  };

function onDatabase(sql: SqlPort): void {
  const schemas: string[] = [];
  const open = async (port: SqlPort, schema: string, dimension: number): Promise<ArchivalDriver> => {
    if (!schemas.includes(schema)) await sql.query(`drop schema if exists ${schema} cascade`);
    schemas.push(schema);
    const driver = createPgvectorArchival({ sql: port, dimension, schema });
    await driver.open();
    return driver;
  };
  afterAll(async () => {
    for (const schema of schemas) await sql.query(`drop schema if exists ${schema} cascade`);
  });

  it('stores by COPY what statements would store, whatever ids and vectors are', async () => {
    const dimension = 33;
    const copies: Uint8Array[] = [];
    const copying = await open(altered(sql, counting(copies)), 'bulk_copy', dimension);
    const stating = await open(altered(sql, withoutCopy), 'bulk_statements', dimension);
    const odd = ['', ' ', 'é', 'e\u0301', '💾', '\\N', '\t\n', '"', 'a'.repeat(128)];
    const heaps = new Heaps(dimension);
    const entries: VectorEntry[] = [...odd, ...Array.from({ length: COPY_FROM }, (_, i) => `e${i}`)].map(
      (id, i) => ({ id, vector: heaps.vector(i % 2 ? 1e-30 : 1e30), at: i * 1e12 + 0.125 }),
    );
    for (const driver of [copying, stating]) await driver.upsert('scope/é', entries);
    const rows = async (schema: string) =>
      (await sql.query(`select scope, id, embedding::text, at from ${schema}.vectors order by id`)).rows;
    expect(copies).toHaveLength(1);
    expect(await rows('bulk_copy')).toEqual(await rows('bulk_statements'));
  });

  it('replaces what is there, and of two with one id the last one stays (B30)', async () => {
    const driver = await open(sql, 'bulk_replace', 4);
    const heaps = new Heaps(4);
    await driver.upsert('s', heaps.entries('e', COPY_FROM * 2));
    await driver.upsert('other', heaps.entries('e', COPY_FROM));
    const moved = { id: 'e000003', vector: Float32Array.of(0, 0, 0, 1), at: 77 };
    await driver.upsert('s', [...heaps.entries('e', COPY_FROM), moved]);
    expect([await driver.count('s'), await driver.count('other')]).toEqual([COPY_FROM * 2, COPY_FROM]);
    const [hit] = await driver.query({ scope: 's', vector: moved.vector, limit: 1, since: 77, until: 78 });
    expect(hit).toEqual({ id: moved.id, score: 1 });
  });

  it('is split where it is large, and written whole or not at all (B19, B29)', async () => {
    const dimension = 4_096;
    const count = Math.ceil(COPY_BYTES / (4 * dimension)) + 3;
    const copies: Uint8Array[] = [];
    const entries = Array.from({ length: count }, (_, i) => ({
      id: `e${i}`,
      vector: new Float32Array(dimension).fill(1 + i),
      at: i,
    }));
    const broken = await open(altered(sql, refusing(2)), 'bulk_split', dimension);
    await expect(broken.upsert('s', entries)).rejects.toMatchObject({ code: 'E_STORAGE' });
    expect(await broken.count('s')).toBe(0);
    const driver = await open(altered(sql, counting(copies)), 'bulk_split', dimension);
    await driver.upsert('s', entries);
    expect(await driver.count('s')).toBe(count);
    expect(copies).toHaveLength(2);
    for (const copy of copies) expect(copy.length).toBeLessThan(COPY_BYTES * 1.1);
  });

  it('is by statements where there is no COPY, and for a few entries', async () => {
    const copies: Uint8Array[] = [];
    const few = await open(altered(sql, counting(copies)), 'bulk_few', 4);
    await few.upsert('s', new Heaps(4).entries('e', COPY_FROM - 1));
    const without = await open(altered(sql, withoutCopy), 'bulk_few', 4);
    await without.upsert('s', new Heaps(4).entries('f', 1_500));
    expect(copies).toEqual([]);
    expect(await few.count('s')).toBe(COPY_FROM - 1 + 1_500);
  });
}

function whenSeveralWrite(sql: SqlPort): void {
  it('comes through when another writes the same entries at the same moment', async () => {
    const schema = 'bulk_race';
    await sql.query(`drop schema if exists ${schema} cascade`);
    const drivers = Array.from({ length: 4 }, () => createPgvectorArchival({ sql, dimension: 8, schema }));
    await Promise.all(drivers.map((driver) => driver.open()));
    for (let round = 0; round < 10; round += 1) {
      const entries = new Heaps(8, 5, round).entries('e', 200);
      await Promise.all(drivers.map((driver) => driver.upsert('s', entries)));
      expect(await drivers[0]?.count('s')).toBe(200);
    }
    await sql.query(`drop schema ${schema} cascade`);
  });
}

function behindPoolers(): void {
  const port = Number(new URL(process.env['PAGEFAULT_PG_URL'] ?? '').port);
  const bouncer = findBouncer();
  const poolers = {
    'a pooler that never gives the same server process twice': () => startPoolerDouble({ port, size: 3 }),
    ...(bouncer !== undefined && {
      PgBouncer: () => startBouncer({ program: bouncer, port, size: 3 }),
    }),
  };
  if (bouncer === undefined)
    it('a bulk load behind PgBouncer', ({ skip }) =>
      skip('pgbouncer is not installed; PAGEFAULT_PGBOUNCER names it'));

  it.each(Object.entries(poolers))('a bulk load behind %s, several at once (B08)', async (_, start) => {
    const pooler = await start();
    const sql = createPgSql({ connectionString: pooler.url, maxConnections: 4 });
    await sql.open();
    const schema = 'bulk_pooled';
    await sql.query(`drop schema if exists ${schema} cascade`);
    const driver = createPgvectorArchival({ sql, dimension: 16, schema });
    await driver.open();
    const heaps = new Heaps(16);
    const scopes = ['a', 'b', 'c', 'd', 'e', 'f'];
    const loads = scopes.map((scope) => ({ scope, entries: heaps.entries('e', 500) }));
    for (const _round of [1, 2])
      await Promise.all(loads.map(({ scope, entries }) => driver.upsert(scope, entries)));
    for (const { scope, entries } of loads) {
      expect(await driver.count(scope)).toBe(500);
      const [third] = entries.slice(3);
      expect(await idsOf(driver, scope, third?.vector ?? new Float32Array(16), 1)).toEqual(['e000003']);
    }
    await sql.query(`drop schema ${schema} cascade`);
    await sql.close();
    await pooler.close();
  });
}
