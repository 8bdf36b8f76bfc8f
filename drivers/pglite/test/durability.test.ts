import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPgliteSql } from '../src/index.js';
import { startChild } from './child.js';
import { temporaryFolder } from './folders.js';

const folder = temporaryFolder();
const ROUNDS = 4;

describe('a store whose process is killed', () => {
  it(`opens again with all that was acknowledged and no half of a transaction, ${ROUNDS} times on end`, async () => {
    const dataDir = join(folder, 'killed');
    const acknowledged: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      acknowledged.push(...(await writeAndKill(dataDir, 10 + round * 17)));
      const sql = createPgliteSql({ dataDir });
      await sql.open();
      const { rows } = await sql.query<{ id: number; pair: number }>('select id, pair from kept order by id');
      const kept = new Set(rows.map(({ id }) => id));
      expect(acknowledged.filter((id) => !kept.has(id) || !kept.has(id + 1))).toEqual([]);
      expect(rows.filter(({ pair }) => !kept.has(pair))).toEqual([]);
      await sql.close();
    }
  }, 120_000);

  it('is made anew when the kill came during the first open', async () => {
    const dataDir = join(folder, 'half');
    mkdirSync(dataDir);
    const changes = watch(dataDir);
    const child = startChild('hold', dataDir);
    for await (const { filename } of changes) if (filename === 'postgres') break;
    child.process.kill('SIGKILL');
    await child.ended;
    expect(existsSync(join(dataDir, 'postgres.unfinished'))).toBe(true);
    const sql = createPgliteSql({ dataDir });
    await sql.open();
    expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'postgres.unfinished'))).toBe(false);
    await sql.close();
  });
});

/** Kills the writer once it acknowledged `count` rows; gives the ids that it acknowledged. */
async function writeAndKill(dataDir: string, count: number): Promise<number[]> {
  const child = startChild('write', dataDir);
  const ids: number[] = [];
  for (let next = await child.lines.next(); !next.done; next = await child.lines.next()) {
    ids.push(Number(next.value));
    if (ids.length === count) child.process.kill('SIGKILL');
  }
  const { status, stderr } = await child.ended;
  expect([status, stderr]).toEqual(['SIGKILL', '']);
  return ids;
}

describe('a store that nobody closes', () => {
  it('lets Node end by itself, silently, and keeps what was written', async () => {
    const dataDir = join(folder, 'forgotten');
    const child = startChild('forget', dataDir);
    expect((await child.lines.next()).value).toBe('done');
    expect(await child.ended).toEqual({ status: 0, stderr: '' });
    const sql = createPgliteSql({ dataDir });
    await sql.open();
    expect((await sql.query('select count(*) as count from forgotten')).rows).toEqual([{ count: 0 }]);
    await sql.close();
  });
});

describe('a folder that holds no whole database', () => {
  it("keeps somebody else's files that stand where the database would be", async () => {
    const dataDir = join(folder, 'foreign');
    const file = join(dataDir, 'postgres', 'notes.txt');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(file, 'precious');
    const refusal = {
      code: 'E_DATA_DIR',
      message: expect.stringContaining('PG_VERSION is missing') as string,
    };
    await expect(createPgliteSql({ dataDir }).open()).rejects.toMatchObject(refusal);
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('is refused when a part of the database is missing, and says what to do', async () => {
    const dataDir = join(folder, 'damaged');
    const sql = createPgliteSql({ dataDir });
    await sql.open();
    await sql.close();
    rmSync(join(dataDir, 'postgres', 'global', 'pg_control'));
    const refusal = { code: 'E_STORAGE', hint: expect.stringContaining('restore') as string };
    await expect(createPgliteSql({ dataDir }).open()).rejects.toMatchObject(refusal);
  }, 60_000);
});
