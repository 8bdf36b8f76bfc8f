import { setImmediate as turn } from 'node:timers/promises';
import type { SqlPort } from '@pagefault/driver-kit';
import { describe, expect, it } from 'vitest';
import { createPgSql } from '../src/index.js';
import { type Line, run } from '../src/pg-statement.js';
import { failureOf } from './support/failure.js';
import { FakePool, rowsOf, stateError } from './support/fake-pool.js';

async function opened(pool: FakePool, options: { readonly acquireTimeout?: number } = {}): Promise<SqlPort> {
  const sql = createPgSql({ pool: pool.asPool(), ...options });
  await sql.open();
  pool.released.length = 0;
  return sql;
}

describe('a connection', () => {
  it('is kept after a statement that was at fault itself', async () => {
    const pool = new FakePool();
    const sql = await opened(pool);
    pool.answer = () => Promise.reject(stateError('23505'));
    expect(await failureOf(sql.query('insert'))).toMatchObject({ code: 'E_CONFLICT' });
    expect(pool.released).toEqual([{ number: 1, isLost: false }]);
    expect(pool.made).toBe(1);
  });

  it.each([
    ['the server stops', stateError('57P01')],
    ['the server became a read-only copy', stateError('25006')],
    ['its transaction idled for too long', stateError('25P03')],
    ['it ends in the middle of an answer', new Error('Connection terminated unexpectedly')],
    ['the network fails', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ])('is dropped when %s, with all that are as old, and the next call works (B04)', async (_why, error) => {
    const pool = new FakePool();
    const sql = await opened(pool);
    pool.idle.unshift(pool.make());
    pool.answer = () => Promise.reject(error);
    await failureOf(sql.query('select 1'));
    pool.answer = () => Promise.resolve(rowsOf([[1]], 'one'));
    expect((await sql.query('select 1')).rows).toEqual([{ one: 1 }]);
    expect(pool.released).toEqual([
      { number: 1, isLost: true },
      { number: 2, isLost: true },
      { number: 3, isLost: false },
    ]);
  });

  it('that idles dies without ending the process, also after the port was closed (B04)', async () => {
    const pool = new FakePool();
    const sql = await opened(pool);
    pool.emit('error', new Error('terminating connection'));
    await sql.close();
    pool.emit('error', new Error('terminating connection'));
    await (await opened(pool)).close();
    expect(pool.listenerCount('error')).toBe(1);
    expect(pool.listenerCount('connect')).toBe(0);
  });

  it('on which a transaction cannot be undone is dropped; the first error is told', async () => {
    const pool = new FakePool();
    const sql = await opened(pool);
    pool.answer = (text) =>
      text === 'rollback' ? Promise.reject(new Error('Connection terminated')) : Promise.resolve(rowsOf([]));
    const work = sql.transaction(async () => Promise.reject(new Error('of the work')));
    expect(await failureOf(work)).toMatchObject({ message: 'of the work' });
    expect(pool.released).toEqual([{ number: 1, isLost: true }]);
  });

  it('that does not come in time is E_TIMEOUT, also from a pool without a limit; it goes back later (B07)', async () => {
    const pool = new FakePool();
    const sql = await opened(pool, { acquireTimeout: 5 });
    let openGate = (): void => undefined;
    pool.gate = () => new Promise((resolve) => (openGate = resolve));
    expect(await failureOf(sql.query('select 1'))).toMatchObject({
      code: 'E_TIMEOUT',
      retryable: true,
      message: expect.stringContaining('acquireTimeout') as string,
    });
    openGate();
    await turn();
    expect(pool.released).toEqual([{ number: 1, isLost: false }]);
    expect(pool.idle).toHaveLength(1);
  });

  it('holds a whole transaction: the pool is asked once (B06)', async () => {
    const pool = new FakePool();
    const sql = await opened(pool);
    let asked = 0;
    pool.gate = async () => void (asked += 1);
    pool.answer = (text) =>
      Promise.resolve({
        ...(rowsOf([[1]], 'one') as object),
        command: text === 'commit' ? 'COMMIT' : 'SELECT',
      });
    await sql.transaction(async (session) => {
      await session.query('select 1');
      await session.query('select 1');
    });
    expect(asked).toBe(1);
  });
});

describe('a statement', () => {
  it('that is never answered is given up, says that its outcome is unknown, and its connection is dropped', async () => {
    const pool = new FakePool();
    pool.answer = () => new Promise(() => undefined);
    const line: Line = { client: pool.make() as never, place: 'postgres://db/x', patience: 5, isLost: false };
    expect(await failureOf(run(line, 'select 1', []))).toMatchObject({
      code: 'E_TIMEOUT',
      message: expect.stringMatching(/postgres:\/\/db\/x .* within 5 ms; .* not known/) as string,
      hint: expect.stringContaining('statementTimeout') as string,
    });
    expect(line.isLost).toBe(true);
  });
});

describe('a database', () => {
  it('that would show a commit what was there before others committed is refused at open', async () => {
    const pool = new FakePool();
    const serializable = rowsOf([['serializable']], 'level');
    pool.idle.push(Object.assign(pool.make(), { query: () => Promise.resolve(serializable) }));
    expect(await failureOf(createPgSql({ pool: pool.asPool() }).open())).toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('"serializable"') as string,
      hint: expect.stringContaining('alter role') as string,
    });
  });
});
