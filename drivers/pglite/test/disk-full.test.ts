import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPgliteSql } from '../src/index.js';
import { temporaryFolder } from './folders.js';

const mount = join(temporaryFolder(), 'small');
const canMount = mountSmallDisk();
if (!canMount) console.warn('skipped: a full disk, because this user may not mount a tmpfs');

function mountSmallDisk(): boolean {
  mkdirSync(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', mount], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

afterAll(() => {
  if (canMount) execFileSync('umount', ['--lazy', mount]);
});

// 4 kB that do not compress.
const FILL = `insert into filled select $1::int, string_agg(md5($1::text || g), '') from generate_series(1, 128) g`;

describe('a disk that runs full', () => {
  it.skipIf(!canMount)('is named; what was acknowledged is there when there is room again', async () => {
    const sql = createPgliteSql({ dataDir: join(mount, 'store') });
    await sql.open();
    await sql.query('create table filled (id int primary key, stuff text)');
    let acknowledged = 0;
    const fill = async (): Promise<never> => {
      for (;;) {
        await sql.query(FILL, [acknowledged + 1]);
        acknowledged += 1;
      }
    };
    await expect(fill()).rejects.toMatchObject({
      code: 'E_DATA_DIR',
      message: expect.stringContaining('disk full'),
    });
    expect(acknowledged).toBeGreaterThan(100);
    await sql.close();

    execFileSync('mount', ['-o', 'remount,size=300m', mount]);
    await sql.open();
    const { rows } = await sql.query<{ count: number }>('select count(*) as count from filled');
    expect(rows[0]?.count).toBe(acknowledged);
    await sql.close();
  });

  it.skipIf(!canMount)(
    'is named at a first open too; then there is room, and the store is made',
    async () => {
      const dataDir = join(mount, 'first');
      rmSync(join(mount, 'store'), { recursive: true, force: true });
      execFileSync('mount', ['-o', 'remount,size=20m', mount]);
      const sql = createPgliteSql({ dataDir });
      await expect(sql.open()).rejects.toMatchObject({
        code: 'E_DATA_DIR',
        message: expect.stringContaining('disk full'),
        cause: { message: expect.not.stringContaining('[object') },
      });
      execFileSync('mount', ['-o', 'remount,size=300m', mount]);
      await sql.open();
      await sql.close();
    },
  );
});
