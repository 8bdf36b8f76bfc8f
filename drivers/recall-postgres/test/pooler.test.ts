/** Behind a pooler in transaction mode: nothing may be expected of a server process but within a transaction (B08). */
import { conformRecall } from '@pagefault/conformance';
import { findBouncer, startBouncer, startPoolerDouble } from '@pagefault/doubles';
import type { SqlPort } from '@pagefault/driver-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgSql, createPostgresRecall } from '../src/index.js';
import { failureOf } from './support/failure.js';

const server = process.env['PAGEFAULT_PG_URL'];
const bouncer = findBouncer();

// The cases that lock, race, or need several statements; the others are tried without a pooler.
const KINDS = /^(atomic|expect|fence|lease|erase: (forgets|single)|scan|round trip: every|isolation|hostile)/;

interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

function behind(name: string, start: () => Promise<Pooler>): SqlPort {
  let pooler: Pooler | undefined;
  let cases = 0;
  let sql: SqlPort | undefined;
  const opened = (): SqlPort =>
    sql ?? createPgSql({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });

  beforeAll(async () => {
    pooler = await start();
    sql = createPgSql({ connectionString: pooler.url, maxConnections: 4 });
    await sql.open();
  });
  afterAll(async () => {
    await sql?.close();
    await pooler?.close();
  });

  const proxy: SqlPort = {
    description: name,
    supports: { shared: true, binary: true, cancel: false, durable: true },
    open: async () => undefined,
    close: async () => undefined,
    query: (text, values, signal) => opened().query(text, values, signal),
    transaction: (work, signal) => opened().transaction(work, signal),
  };
  conformRecall({
    name: `postgres behind ${name}`,
    create: () => ({
      driver: createPostgresRecall({ sql: proxy, schema: `pagefault_${name}_${(cases += 1)}` }),
    }),
    destroy: async () => {
      await proxy.query(`drop schema if exists pagefault_${name}_${cases} cascade`);
    },
    test: (title, run) => {
      if (KINDS.test(title)) it(title, run);
    },
  });

  it('opens for several at once, and each is ready (B10, B11)', async () => {
    const schema = `pagefault_${name}_race`;
    const drivers = Array.from({ length: 5 }, () => createPostgresRecall({ sql: proxy, schema }));
    await Promise.all(drivers.map((driver) => driver.open()));
    for (const [i, driver] of drivers.entries()) await driver.commit({ pid: `p${i}` });
    const { rows } = await proxy.query<{ held: number }>(
      "select count(*) as held from pg_locks where locktype = 'advisory'",
    );
    expect(rows).toEqual([{ held: 0 }]);
    await proxy.query(`drop schema ${schema} cascade`);
  });

  it('leaves a transaction that takes too long to the server, as without a pooler', async () => {
    const hasty = createPgSql({ connectionString: pooler?.url ?? '', statementTimeout: 20 });
    await hasty.open();
    const work = hasty.transaction((session) => session.query('select pg_sleep(30)'));
    expect(await failureOf(work)).toMatchObject({ code: 'E_TIMEOUT' });
    await hasty.close();
  });
  return proxy;
}

const portOf = (url: string): number => Number(new URL(url).port);

if (server === undefined) it('behind a pooler', ({ skip }) => skip('PAGEFAULT_PG_URL is not set'));
else {
  describe('behind a pooler that never gives the same server process twice', () => {
    let given: readonly number[] = [];
    const sql = behind('double', async () => {
      const pooler = await startPoolerDouble({ port: portOf(server), size: 3 });
      ({ given } = pooler);
      return pooler;
    });

    it('every transaction was on another one', async () => {
      await sql.query('select 1');
      await sql.query('select 2');
      expect(given.length).toBeGreaterThan(100);
      expect(new Set(given.slice(-2)).size).toBe(2);
    });

    it('is what breaks named statements and settings: the double lies as poolers do', async () => {
      const pooler = await startPoolerDouble({ port: portOf(server), size: 2 });
      const client = new pg.Client({ connectionString: pooler.url });
      await client.connect();
      const named = { name: 'one', text: 'select $1::int as one', values: [1] };
      await client.query(named);
      expect(await failureOf(client.query(named))).toMatchObject({
        message: expect.stringContaining('prepared statement "one" does not exist') as string,
      });
      await client.query("set application_name = 'mine'");
      expect((await client.query('show application_name')).rows).toEqual([{ application_name: '' }]);
      await client.end();
      await pooler.close();
    });
  });

  if (bouncer === undefined)
    it('behind PgBouncer', ({ skip }) => skip('pgbouncer is not installed; PAGEFAULT_PGBOUNCER names it'));
  else
    describe('behind PgBouncer', () => {
      behind('pgbouncer', () => startBouncer({ program: bouncer, port: portOf(server), size: 3 }));
    });
}
