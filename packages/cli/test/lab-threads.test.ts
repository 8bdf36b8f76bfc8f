import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weeklyTrace } from './support/traces.js';
import { createWorld, type RunOptions, type World } from './support/world.js';

const policy = (id: string, victims: string) => `export default () => {
  const pages = [];
  return {
    id: '${id}', version: 1, onNeed() {}, snapshot: () => new Uint8Array(), restore: () => false,
    configure() {},
    onBirth: ({ id }) => void pages.push(id),
    onResidency: (id, now) => { if (now === 'evicted') pages.splice(pages.indexOf(id), 1); },
    victims: ({ isEligible }) => ${victims},
  };
};`;

describe('lab --jobs', () => {
  let folder: string;
  let world: World;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagefault-threads-'));
    world = createWorld();
    writeFileSync(join(folder, 'many.jsonl'), weeklyTrace(300));
    writeFileSync(join(folder, 'mine.mjs'), policy('mine', 'pages.filter(isEligible).slice(0, 3)'));
    writeFileSync(join(folder, 'throws.mjs'), policy('throws', "{ throw new Error('no idea'); }"));
    writeFileSync(join(folder, 'hangs.mjs'), policy('hangs', '{ for (;;); }'));
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });
  const run = (args: readonly string[], options: RunOptions = {}) =>
    world.run(['lab', 'run', 'many.jsonl', '--budget', '500', '2k', ...args], { cwd: folder, ...options });
  /** Handles of threads and of their channels. */
  const open = () =>
    process.getActiveResourcesInfo().filter((kind) => /Worker|MessagePort/.test(kind)).length;

  it('gives the same rows in the same order, whatever the number of threads, also of policies by path', async () => {
    const before = open();
    const args = ['--policy', 'lru,memgpt-queue,./mine.mjs', '--csv'];
    const one = await run([...args, '--jobs', '1']);
    const two = await run([...args, '--jobs', '2']);
    expect(two).toEqual(one);
    expect(one.stdout).toMatch(/^mine,2000,/m);
    expect(open()).toBe(before);
  });

  it('names the policy that throws in a thread, its budget and why, and leaves no thread behind', async () => {
    const before = open();
    const { code, stdout, stderr } = await run(['--policy', 'lru,./throws.mjs', '--jobs', '2']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('throws failed at a budget of 500 on weekly: no idea');
    expect(open()).toBe(before);
  });

  it('ends at Ctrl-C, even when a policy never comes back, with nothing left running', async () => {
    const before = open();
    let interrupt = () => {};
    const { code, stderr } = await run(['--policy', 'lru,./hangs.mjs', '--jobs', '2'], {
      isTTY: true,
      onStart: (stop) => (interrupt = stop),
      // The first run is done, so the other thread is at it.
      onOutput: (shown) => {
        if (shown.includes(' 1 / 10 runs')) interrupt();
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('stopped; nothing is kept of it');
    expect(open()).toBe(before);
  });

  it('draws a bar on a terminal, and is quiet elsewhere', async () => {
    expect((await run(['--policy', 'lru'], { isTTY: true })).stderr).toMatch(
      /run \[#+\] 100 % 8 \/ 8 runs and bounds/,
    );
    expect((await run(['--policy', 'lru'])).stderr).not.toContain('runs');
  });

  it.each(['0', 'many', '1.5'])('refuses %s for a number of threads', async (jobs) => {
    expect(await run(['--jobs', jobs])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/whole number from 1/),
    });
  });
});
