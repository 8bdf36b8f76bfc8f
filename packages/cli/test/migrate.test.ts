import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '@pagefault/wiring';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

let [world, folder]: [World, string] = [createWorld(), ''];

/** Two stores on disk, the first with a process in it. */
beforeEach(async () => {
  [world, folder] = [createWorld(), await mkdtemp(join(tmpdir(), 'pagefault-migrate-'))];
  for (const name of ['old', 'new']) {
    const config = { recall: `pglite://./${name}`, archival: 'none', embedder: 'none', processor: 'reflex' };
    await writeFile(join(folder, `${name}.json`), JSON.stringify(config));
  }
  await using machine = await start({ cwd: folder, env: {}, configFile: 'old.json' });
  const ada = await machine.kernel.spawn({ name: 'ada' });
  await ada.append([{ text: 'My number is 4711.' }]);
});
afterEach(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const migrate = (...args: readonly string[]) => world.run(['migrate', ...args], { cwd: folder });

describe('migrate', () => {
  it('brings the processes to the other store, tells what came, and is done at once the second time', async () => {
    const first = await migrate('--from', 'old.json', '--to', 'new.json');
    expect(first.stdout).toMatch(/^process .*\nada +1 +0 +\d+ +[0-9a-f]{12} +copied\n$/);
    expect(first.stderr).toContain('pagefault fsck --repair --config new.json');
    expect(first.code).toBe(0);
    expect((await migrate('--from', 'old.json', '--to', 'new.json')).stdout).toContain('was there, the same');
    await using machine = await start({ cwd: folder, env: {}, configFile: 'new.json' });
    const ada = await machine.kernel.find('ada');
    const { hits } = (await ada?.search({ collection: 'messages', query: 'number' })) ?? { hits: [] };
    expect(hits.map(({ text }) => text)).toEqual(['My number is 4711.']);
  });

  it('leaves alone what went on in the other store, and ends with 1', async () => {
    await migrate('--from', 'old.json', '--to', 'new.json');
    {
      await using machine = await start({ cwd: folder, env: {}, configFile: 'new.json' });
      await (await machine.kernel.find('ada'))?.append([{ text: 'It is 4712 now.' }]);
    }
    const { code, stdout, stderr } = await migrate('--from', 'old.json', '--to', 'new.json');
    expect(stdout).toContain('differs');
    expect(stderr).toContain('left alone');
    expect(code).toBe(1);
  });

  it('refuses one store twice, stores that do not last, and files that are not there', async () => {
    const same = await migrate('--from', 'old.json', '--to', 'old.json');
    expect(same.stderr).toContain('name the same store');
    await writeFile(join(folder, 'memory.json'), JSON.stringify({ recall: 'memory' }));
    expect((await migrate('--from', 'memory.json', '--to', 'new.json')).stderr).toContain(
      'ends with its program',
    );
    expect((await migrate('--from', 'none.json', '--to', 'new.json')).stderr).toContain('none.json');
    expect((await migrate('--from', 'old.json')).stderr).toContain('--to');
  });
});
