import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgliteSql, MEMORY } from '../src/index.js';

const sql = createPgliteSql({ dataDir: MEMORY });

beforeAll(async () => {
  await sql.open();
  await sql.query('create table numbers (id int primary key, word text)');
});
afterAll(() => sql.close());

async function ids(): Promise<number[]> {
  return (await sql.query<{ id: number }>('select id from numbers order by id')).rows.map(({ id }) => id);
}

describe('a statement', () => {
  it('binds its values and gives rows by name, big integers as numbers', async () => {
    const { rows } = await sql.query("select $1::text as a, $2::int8 as b, null as c, '[1]'::json as d", [
      "'; --",
      5,
    ]);
    expect(rows).toEqual([{ a: "'; --", b: 5, c: null, d: [1] }]);
  });

  it('tells how many rows it wrote', async () => {
    expect(
      (await sql.query("insert into numbers select n, 'x' from generate_series(100, 102) n")).affected,
    ).toBe(3);
    expect((await sql.query('delete from numbers')).affected).toBe(3);
  });

  it('that breaks a unique key is E_CONFLICT, and a wrong one E_STORAGE; the next one works', async () => {
    await expect(sql.query("insert into numbers values (1, 'a'), (1, 'b')")).rejects.toMatchObject({
      code: 'E_CONFLICT',
    });
    await expect(sql.query('selekt')).rejects.toMatchObject({ code: 'E_STORAGE', driver: 'pglite' });
    expect(await ids()).toEqual([]);
  });

  it('with a NUL is E_INVALID and not cut short (B02)', async () => {
    await expect(sql.query('select $1::text as a', ['x\0y'])).rejects.toMatchObject({ code: 'E_INVALID' });
  });

  it('under a signal that fired is not sent', async () => {
    const signal = AbortSignal.abort();
    await expect(sql.query('insert into numbers values (9)', [], signal)).rejects.toMatchObject({
      code: 'E_ABORTED',
    });
    expect(await ids()).toEqual([]);
  });
});

describe('a transaction', () => {
  it('keeps statements from outside waiting, and they see it whole', async () => {
    const seen: number[][] = [];
    const outside: Promise<unknown>[] = [];
    await sql.transaction(async (session) => {
      await session.query("insert into numbers values (1, 'a')");
      outside.push(ids().then((found) => seen.push(found)));
      await session.query("insert into numbers values (2, 'b')");
    });
    await Promise.all(outside);
    expect(seen).toEqual([[1, 2]]);
    await sql.query('delete from numbers');
  });

  it('runs after the one before it, and none is lost', async () => {
    await sql.query("insert into numbers values (1, '0')");
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sql.transaction(async (session) => {
          const { rows } = await session.query<{ word: string }>('select word from numbers');
          await session.query('update numbers set word = $1', [String(Number(rows[0]?.word) + 1)]);
        }),
      ),
    );
    expect((await sql.query('select word from numbers')).rows).toEqual([{ word: '20' }]);
    await sql.query('delete from numbers');
  });

  it('that throws writes nothing, and gives the error that was thrown', async () => {
    const own = new Error('own');
    const work = sql.transaction(async (session) => {
      await session.query("insert into numbers values (1, 'a')");
      throw own;
    });
    await expect(work).rejects.toBe(own);
    expect(await ids()).toEqual([]);
  });

  it('whose failed statement was swallowed does not pretend that it committed', async () => {
    const work = sql.transaction(async (session) => {
      await session.query("insert into numbers values (1, 'a')");
      await session.query('selekt').catch(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: 'E_STORAGE' });
    expect(await ids()).toEqual([]);
  });

  it('that waits for its turn can be given up, and those behind it go on (C19)', async () => {
    const stop = new AbortController();
    let finish = (): void => undefined;
    const first = sql.transaction(() => new Promise<void>((resolve) => (finish = resolve)));
    const second = sql.transaction(async () => 'ran', stop.signal);
    const third = ids();
    stop.abort();
    await expect(second).rejects.toMatchObject({ code: 'E_ABORTED' });
    finish();
    await first;
    expect(await third).toEqual([]);
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });
});

describe('a port', () => {
  it('is not open before open and after close, and may be opened again', async () => {
    const port = createPgliteSql({ dataDir: MEMORY });
    await port.close();
    await expect(port.query('select 1')).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await Promise.all([port.open(), port.open()]);
    await port.open();
    expect((await port.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await port.close();
    await port.close();
    await expect(port.query('select 1')).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await expect(port.transaction(async () => 1)).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });

  it('names a wrong option', () => {
    expect(() => createPgliteSql({ dataDir: '' })).toThrow(/pglite\.dataDir/);
  });
});
