import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgvectorArchival } from '../src/index.js';

const sql = createPgliteSql({ dataDir: MEMORY });

beforeAll(() => sql.open());
afterAll(() => sql.close());

describe('archival on pgvector', () => {
  it('refuses at open a table of another dimension, naming both numbers (B23, B24)', async () => {
    await createPgvectorArchival({ sql, dimension: 4, schema: 'narrow' }).open();
    await expect(
      createPgvectorArchival({ sql, dimension: 5, schema: 'narrow' }).open(),
    ).rejects.toMatchObject({
      code: 'E_DIMENSION',
      message: expect.stringMatching(/4 numbers.* 5/),
    });
  });

  it('drops what a rebuild left that was given up, and makes a new one of a third dimension anew', async () => {
    const schema = 'abandoned';
    const of = (dimension: number) => createPgvectorArchival({ sql, dimension, schema });
    const there = async () =>
      (await sql.query(`select to_regclass('${schema}.vectors_next')::text as next`)).rows;
    await of(4).open();
    for (const dimension of [5, 6]) {
      const driver = of(dimension);
      expect(await driver.rebuild?.()).toBe(4);
      await driver.upsert('s', [{ id: 'a', vector: new Float32Array(dimension).fill(1), at: 0 }]);
      await driver.close();
    }
    expect(await there()).toEqual([{ next: `${schema}.vectors_next` }]);
    await of(4).open();
    expect(await there()).toEqual([{ next: null }]);
  });

  it('is ready for all who open an empty schema at once (B10, B11)', async () => {
    const drivers = Array.from({ length: 5 }, () =>
      createPgvectorArchival({ sql, dimension: 2, schema: 'race' }),
    );
    await Promise.all(drivers.map((driver) => driver.open()));
    for (const driver of drivers) expect(await driver.count('s')).toBe(0);
  });

  it('finds its extension in whatever schema it lives (B33)', async () => {
    await sql.query('create schema ext');
    await sql.query('drop extension if exists vector cascade');
    await sql.query('create extension vector schema ext');
    const driver = createPgvectorArchival({ sql, dimension: 2, schema: 'elsewhere' });
    await driver.open();
    await driver.upsert('s', [{ id: 'a', vector: Float32Array.of(1, 0), at: 0 }]);
    expect(await driver.query({ scope: 's', vector: Float32Array.of(1, 0), limit: 1 })).toEqual([
      { id: 'a', score: 1 },
    ]);
  });

  it('compares vectors so large or small that 32-bit sums would overflow', async () => {
    const driver = createPgvectorArchival({ sql, dimension: 2, schema: 'sizes' });
    await driver.open();
    await driver.upsert('s', [
      { id: 'large', vector: Float32Array.of(3e38, 0), at: 0 },
      { id: 'small', vector: Float32Array.of(0, 1e-44), at: 0 },
    ]);
    const hits = await driver.query({ scope: 's', vector: Float32Array.of(1e-30, 0), limit: 9 });
    expect(hits.map(({ id, score }) => [id, Math.round(score * 100)])).toEqual([
      ['large', 100],
      ['small', 50],
    ]);
  });

  it('works with vectors that do not fit a page', async () => {
    const driver = createPgvectorArchival({ sql, dimension: 4_096, schema: 'wide' });
    await driver.open();
    const vector = new Float32Array(4_096).fill(0.1);
    await driver.upsert('s', [{ id: 'wide', vector, at: 0 }]);
    const [hit] = await driver.query({ scope: 's', vector, limit: 1 });
    expect(hit?.score).toBeCloseTo(1, 5);
  });
});
