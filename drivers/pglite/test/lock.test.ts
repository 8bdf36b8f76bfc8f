import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { createPgliteSql } from '../src/index.js';
import { lockDirectory } from '../src/lock.js';
import { startChild } from './child.js';
import { temporaryFolder } from './folders.js';

const folder = temporaryFolder();

async function failure(work: Promise<unknown>): Promise<PagefaultError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!PagefaultError.is(error)) throw new Error('should fail with an error of ours', { cause: error });
  return error;
}

describe('the lock of a data directory', () => {
  it('is had by one of many who ask at once', async () => {
    const dataDir = join(folder, 'many');
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => lockDirectory(dataDir)));
    const held = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(held).toHaveLength(1);
    expect(readdirSync(join(dataDir, 'lock'))).toHaveLength(1);
  });

  it('is free again after its release', async () => {
    const dataDir = join(folder, 'again');
    (await lockDirectory(dataDir)).release();
    (await lockDirectory(dataDir)).release();
    expect(readdirSync(join(dataDir, 'lock'))).toEqual([]);
  });

  it('is taken over from a process that is no more, and from a pid that is somebody else by now', async () => {
    const dataDir = join(folder, 'stale');
    const lock = await lockDirectory(dataDir);
    lock.release();
    writeFileSync(join(dataDir, 'lock', '4194304-1-gone'), '');
    writeFileSync(join(dataDir, 'lock', `${process.pid}-1-reused`), '');
    const taken = await lockDirectory(dataDir);
    expect(readdirSync(join(dataDir, 'lock'))).toHaveLength(1);
    taken.release();
  });

  it('is had by one of many who find the claim of the dead at once', async () => {
    const dataDir = join(folder, 'take-over');
    (await lockDirectory(dataDir)).release();
    for (let round = 0; round < 8; round += 1) {
      writeFileSync(join(dataDir, 'lock', `4194304-1-${round}`), '');
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => lockDirectory(dataDir)));
      const held = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(held).toHaveLength(1);
      held[0]?.release();
    }
  });
});

describe('a data directory that is opened twice', () => {
  it('is refused by name and pid, in another process and in the same (B34)', async () => {
    const dataDir = join(folder, 'twice');
    const holder = startChild('hold', dataDir);
    expect((await holder.lines.next()).value).toBe('open');
    const other = await failure(createPgliteSql({ dataDir }).open());
    expect(other.code).toBe('E_DATA_DIR_LOCKED');
    expect(other.message).toContain(dataDir);
    expect(other.message).toContain(String(holder.process.pid));
    expect(other.hint).toBeTruthy();

    holder.process.kill('SIGKILL');
    await holder.ended;
    const mine = createPgliteSql({ dataDir });
    await mine.open();
    const again = await failure(createPgliteSql({ dataDir }).open());
    expect(again.code).toBe('E_DATA_DIR_LOCKED');
    expect(again.message).toContain(String(process.pid));
    await mine.close();
    expect(readdirSync(join(dataDir, 'lock'))).toEqual([]);
  });
});

describe('a data directory that cannot be used', () => {
  it('is named, with what to do, when a part of the path is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const error = await failure(createPgliteSql({ dataDir: join(file, 'store') }).open());
    expect([error.code, error.message.includes(file), Boolean(error.hint)]).toEqual([
      'E_DATA_DIR',
      true,
      true,
    ]);
  });

  it('is named as a file when it is one, or when a folder in it is', async () => {
    const file = join(folder, 'plain');
    writeFileSync(file, '');
    const error = await failure(createPgliteSql({ dataDir: file }).open());
    expect(error).toMatchObject({
      code: 'E_DATA_DIR',
      message: `data directory ${file}: it is a file (ENOTDIR)`,
    });
    expect(error.hint).toContain('choose another data directory');

    for (const name of ['lock', 'postgres']) {
      const dataDir = join(folder, `with-${name}`);
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, name), '');
      expect(await failure(createPgliteSql({ dataDir }).open())).toMatchObject({
        code: 'E_DATA_DIR',
        message: expect.stringContaining(`${dataDir}: ${join(dataDir, name)} is a file (E`) as string,
      });
    }
  });

  // In /proc the parent is there, and making a folder in it is still answered with ENOENT.
  const cannotMake = process.platform === 'linux' ? ['/proc', '/proc/x', '/proc/x/y', '/proc/self'] : [];
  if (cannotMake.length === 0)
    console.warn('skipped: folders that can never be made, because there is no /proc');

  it.each(cannotMake)(
    'is refused, and not tried for ever, when nothing can be made there: %s',
    async (dataDir) => {
      expect(await failure(createPgliteSql({ dataDir }).open())).toMatchObject({
        code: 'E_DATA_DIR',
        message: expect.stringContaining(dataDir),
        hint: expect.stringContaining('choose another data directory'),
      });
    },
  );

  it('is named when it is a link that leads nowhere', async () => {
    const link = join(folder, 'nowhere');
    symlinkSync(join(folder, 'gone', 'far'), link);
    expect((await failure(createPgliteSql({ dataDir: link }).open())).code).toBe('E_DATA_DIR');
  });
});
