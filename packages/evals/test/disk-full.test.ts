import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from './support/folder.js';
import { startEmbedded, withMachine } from './support/machine.js';
import { wholeLog, withStore } from './support/store.js';

// Other operating-system processes and real stores: slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const mount = join(temporaryFolder(), 'small');
const canMount = mountSmallDisk();

function mountSmallDisk(): boolean {
  mkdirSync(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', mount], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

afterAll(() => {
  if (canMount) execFileSync('umount', ['--lazy', mount]);
});

/** Leaves so many bytes of the disk free. */
function fillDisk(left: number): void {
  const { bavail, bsize } = statfsSync(mount);
  writeFileSync(join(mount, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
}

describe('a disk that runs full while messages come', () => {
  it('is named; what was acknowledged is there, and the store works, when there is room again', async ({
    skip,
  }) => {
    if (!canMount) skip('this user may not mount a tmpfs');
    const data = join(mount, 'store');
    mkdirSync(data);
    const acknowledged: string[] = [];
    const pid = await withMachine(startEmbedded(data), async ({ kernel }) => {
      const agent = await kernel.spawn({ name: 'default' });
      fillDisk(3_000_000);
      const talk = async (): Promise<never> => {
        for (let n = 0; ; n += 1) {
          const { outcome } = await agent.send({
            id: `q${n}`,
            text: `My alpaca ${n} eats ${'hay '.repeat(2_000)}`,
          });
          expect(outcome).toBe('answered');
          acknowledged.push(`q${n}`);
        }
      };
      await expect(talk()).rejects.toMatchObject({
        code: 'E_DATA_DIR',
        message: expect.stringContaining('disk full'),
        hint: expect.stringContaining('free some space'),
      });
      return agent.pid;
    });
    rmSync(join(mount, 'filler'));
    const log = await withStore(data, (recall) => wholeLog(recall, pid));
    const users = log.flatMap(({ message }) => (message.role === 'user' ? [message.id] : []));
    expect(users.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(new Set(users).size).toBe(users.length);
    await withMachine(startEmbedded(data), async ({ kernel }) => {
      const agent = await kernel.open(pid);
      await agent.resume();
      expect(await agent.send('My name is Ada.')).toMatchObject({ outcome: 'answered' });
    });
  });
});
