/** A server that the test may stop and start, and kernels in processes of their own. */
import { LATEST } from '@pagefault/contracts';
import { findPostgres, type PostgresServer, startPostgres } from '@pagefault/doubles';
import type { SqlPort } from '@pagefault/driver-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgSql, createPostgresRecall } from '../src/index.js';
import { startScript } from './support/child.js';
import { failureOf } from './support/failure.js';

const bin = findPostgres();

if (bin === undefined)
  it('on a server of its own', ({ skip }) =>
    skip('no PostgreSQL is installed; PAGEFAULT_PG_BIN names its folder'));
else describe('on a server of its own', () => onServer(bin));

function onServer(folder: string): void {
  let server: PostgresServer;
  let sql: SqlPort;

  beforeAll(async () => {
    server = await startPostgres(folder, ['-c fsync=off']);
    sql = createPgSql({ connectionString: server.url, maxConnections: 4 });
    await sql.open();
  });
  afterAll(async () => {
    await sql.close();
    await server.remove();
  });

  it.each(['fast', 'immediate'] as const)(
    'goes on after the server was restarted (%s), with all connections dead at once (B04)',
    async (mode) => {
      const recall = createPostgresRecall({ sql, schema: `restart_${mode}` });
      await recall.open();
      await Promise.all([1, 2, 3, 4].map((n) => recall.commit({ pid: `p${n}` })));
      await server.stop(mode);
      expect(await failureOf(recall.commit({ pid: 'p1' }))).toMatchObject({
        code: 'E_STORAGE',
        retryable: true,
      });
      await server.start();
      await Promise.all(
        [1, 2, 3, 4, 5].map((n) =>
          recall.commit({ pid: `p${n}`, puts: [{ space: 's', key: 'k', value: n }] }),
        ),
      );
      expect(await recall.load('p5', ['s'])).toEqual([{ space: 's', key: 'k', value: 5, version: 1 }]);
    },
  );

  it('binds bytes as the binary form of what they are for', async () => {
    expect(sql.supports.binary).toBe(true);
    const eight = Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2);
    const { rows } = await sql.query('select $1::bytea = $2::bytea as same, $3::int8 as number', [
      eight,
      '\\x0000000000000102',
      eight,
    ]);
    expect(rows).toEqual([{ same: true, number: 258 }]);
  });

  it('a transaction that was open when the server died fails, and nothing of it is there', async () => {
    await sql.query('create table half (n int)');
    const work = sql.transaction(async (session) => {
      await session.query('insert into half values (1)');
      await server.stop('immediate');
      await session.query('insert into half values (2)');
    });
    expect(await failureOf(work)).toMatchObject({ code: 'E_STORAGE', retryable: true });
    await server.start();
    expect((await sql.query('select * from half')).rows).toEqual([]);
  });

  it('a server that became a read-only copy is left for the one that writes (fail-over)', async () => {
    await sql.query('create role walker superuser login');
    await sql.query('alter role walker set default_transaction_read_only = on');
    const url = server.url.replace('postgres@', 'walker@');
    const other = createPgSql({ connectionString: url });
    await createPostgresRecall({ sql, schema: 'moved' }).open();
    const recall = createPostgresRecall({ sql: other, schema: 'moved' });
    await recall.open();
    // From here on whoever connects reaches one that writes; who is connected does not.
    await sql.query('alter role walker reset default_transaction_read_only');
    expect(await failureOf(recall.commit({ pid: 'p' }))).toMatchObject({
      code: 'E_STORAGE',
      retryable: true,
      hint: expect.stringContaining('fail-over') as string,
    });
    await recall.commit({ pid: 'p', puts: [{ space: 's', key: 'k', value: 1 }] });
    expect(await recall.load('p', ['s'])).toHaveLength(1);
    await other.close();
  });

  it('refuses a database that is not there, or whose transactions see the past, and says what to do', async () => {
    const missing = createPgSql({ connectionString: server.url.replace(/[^/]*$/, 'nowhere') });
    expect(await failureOf(missing.open())).toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('nowhere') as string,
      hint: expect.stringContaining('createdb') as string,
    });
    await sql.query('create role past superuser login');
    await sql.query("alter role past set default_transaction_isolation = 'repeatable read'");
    const past = createPgSql({ connectionString: server.url.replace('postgres@', 'past@') });
    expect(await failureOf(past.open())).toMatchObject({ code: 'E_CONFIG' });
  });

  it('whoever waits too long for the migration of another is told of it', async () => {
    await sql.transaction(async (session) => {
      await session.query('select pg_advisory_xact_lock(7066170)');
      const hasty = createPgSql({ connectionString: server.url, statementTimeout: 20 });
      const recall = createPostgresRecall({ sql: hasty, schema: 'waits' });
      expect(await failureOf(recall.open())).toMatchObject({
        code: 'E_TIMEOUT',
        message: expect.stringContaining('recall in schema waits') as string,
        hint: expect.stringContaining('7066170') as string,
      });
      // What is up to date needs no lock.
      await createPostgresRecall({ sql, schema: 'restart_fast' }).open();
      await hasty.close();
    });
  });

  it('ten processes that start at once are all ready, though the first is killed while it migrates (B10, B11)', async () => {
    const killed = startScript('open', [server.url, 'crowd', '7']);
    expect((await killed.lines.next()).value).toBe('stopped');
    const others = Array.from({ length: 10 }, () => startScript('open', [server.url, 'crowd']));
    // They cannot be ready before the lock is free.
    await waiting(sql, 1);
    killed.process.kill('SIGKILL');
    for (const { ended } of others) expect(await ended).toEqual({ status: 0, stderr: '' });
    const pids = others.map(({ process }) => `p${process.pid}`);
    const { rows } = await sql.query<{ pid: string }>('select pid from crowd.processes');
    expect(rows.map(({ pid }) => pid).sort()).toEqual(pids.sort());
    const locks = await sql.query("select 1 from pg_locks where locktype = 'advisory'");
    expect(locks.rows).toEqual([]);
    const recall = createPostgresRecall({ sql, schema: 'crowd' });
    await recall.open();
    expect((await recall.stats([{ pid: pids[0] ?? '', upTo: LATEST }])).messages).toBe(0);
  });
}

/** Until so many wait for the advisory lock. */
async function waiting(sql: SqlPort, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql.query<{ n: number }>(
      "select count(*) as n from pg_locks where locktype = 'advisory' and not granted",
    );
    if ((rows[0]?.n ?? 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
