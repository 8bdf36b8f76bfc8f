import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import type { SqlPort } from '@pagefault/driver-kit';
import { describe, expect, it } from 'vitest';
import { createPgliteSql } from '../src/index.js';
import { startChild } from './child.js';
import { temporaryFolder } from './folders.js';

const folder = temporaryFolder();

async function opened(dataDir: string): Promise<SqlPort> {
  const sql = createPgliteSql({ dataDir });
  await sql.open();
  await sql.query('create table kept (id int)');
  await sql.query('insert into kept values (1)');
  return sql;
}

function removal(dataDir: string): object {
  return {
    code: 'E_DATA_DIR',
    message: `the data directory ${dataDir} was removed while it was in use`,
    hint: expect.stringContaining('restart') as string,
    retryable: false,
  };
}

const REMOVALS: { readonly [what: string]: (dataDir: string) => void } = {
  'the folder': (dataDir) => rmSync(dataDir, { recursive: true }),
  'the claim on it': (dataDir) => rmSync(join(dataDir, 'lock'), { recursive: true }),
  'the database in it': (dataDir) => rmSync(join(dataDir, 'postgres'), { recursive: true }),
  'the folder, by moving it': (dataDir) => renameSync(dataDir, `${dataDir}-away`),
};

describe.each(Object.entries(REMOVALS))('a store that lost %s while it was open', (what, remove) => {
  it('acknowledges nothing more, ever, and closes', async () => {
    const dataDir = join(folder, what);
    const sql = await opened(dataDir);
    const write = (): Promise<unknown> => sql.query('insert into kept values (2)');
    remove(dataDir);
    await expect(write()).rejects.toMatchObject(removal(dataDir));
    await expect(write()).rejects.toMatchObject(removal(dataDir));
    await expect(sql.transaction((session) => session.query('select 1'))).rejects.toMatchObject(
      removal(dataDir),
    );
    await expect(sql.open()).rejects.toMatchObject(removal(dataDir));
    await sql.close();
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(what === 'the claim on it');
  });
});

describe('a removed data directory', () => {
  it('does not acknowledge what was under way', async () => {
    const dataDir = join(folder, 'under way');
    const sql = await opened(dataDir);
    const statement = sql.query('insert into kept select 2 from pg_sleep(0.2)');
    const waiting = sql.query('insert into kept values (3)');
    rmSync(dataDir, { recursive: true });
    const outcomes = await Promise.allSettled([statement, waiting]);
    const lost = { status: 'rejected', reason: removal(dataDir) };
    expect(outcomes).toMatchObject([lost, lost]);
    await sql.close();
  });

  it('does not acknowledge a transaction that wrote before and would commit after', async () => {
    const dataDir = join(folder, 'in a transaction');
    const sql = await opened(dataDir);
    const work = sql.transaction(async (session) => {
      await session.query('insert into kept values (2)');
      rmSync(dataDir, { recursive: true });
    });
    await expect(work).rejects.toMatchObject(removal(dataDir));
    await sql.close();
  });

  it('does not keep an idle store from closing', async () => {
    const dataDir = join(folder, 'idle');
    const sql = await opened(dataDir);
    rmSync(dataDir, { recursive: true });
    await sql.close();
    expect(existsSync(dataDir)).toBe(false);
    await expect(sql.query('select 1')).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });

  it('is told when it goes during a first open', async () => {
    const dataDir = join(folder, 'first');
    mkdirSync(dataDir);
    const changes = watch(dataDir);
    const sql = createPgliteSql({ dataDir });
    const opening = expect(sql.open()).rejects.toMatchObject(removal(dataDir));
    for await (const { filename } of changes) if (filename === 'postgres') break;
    renameSync(dataDir, `${dataDir}-away`);
    await opening;
    await sql.close();
  });

  it('can be opened anew after close, also by another process meanwhile, which keeps its own', async () => {
    const dataDir = join(folder, 'anew');
    const sql = await opened(dataDir);
    rmSync(dataDir, { recursive: true });
    const other = startChild('hold', dataDir);
    expect((await other.lines.next()).value).toBe('open');
    await expect(sql.query('insert into kept values (2)')).rejects.toMatchObject(removal(dataDir));
    await sql.close();
    expect(readdirSync(join(dataDir, 'lock'))).toEqual([
      expect.stringMatching(`^${other.process.pid}-`) as string,
    ]);
    await expect(sql.open()).rejects.toMatchObject({ code: 'E_DATA_DIR_LOCKED' });
    other.process.kill('SIGKILL');
    await other.ended;
    await sql.open();
    expect((await sql.query("select to_regclass('kept') as found")).rows).toEqual([{ found: null }]);
    await sql.close();
  }, 60_000);

  it('makes no noise when the store is closed or forgotten', async () => {
    const dataDir = join(folder, 'silent');
    const child = startChild('removed', dataDir);
    expect((await child.lines.next()).value).toBe('E_DATA_DIR');
    expect(await child.ended).toEqual({ status: 0, stderr: '' });
    expect(existsSync(dataDir)).toBe(false);
  }, 60_000);
});
