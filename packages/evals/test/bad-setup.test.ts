import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '@pagefault/wiring';
import { describe, expect, it, vi } from 'vitest';
import { runCli } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { startEmbedded, withMachine } from './support/machine.js';

// Other operating-system processes and real stores: slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const folder = temporaryFolder();
const STACK = { archival: 'none', embedder: 'none', processor: 'reflex' };
let places = 0;

/** A working directory with a configuration file of that content. */
function place(config: object | string = STACK): string {
  const cwd = join(folder, `place-${(places += 1)}`);
  mkdirSync(cwd);
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  writeFileSync(join(cwd, 'pagefault.config.json'), text);
  return cwd;
}

/** Fails with a code, a message and a hint, and no stack. */
function expectFailure(
  ended: { status: unknown; stderr: string },
  code: string,
  ...words: readonly RegExp[]
) {
  expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining(`error[${code}]`) });
  for (const word of words) expect(ended.stderr).toMatch(word);
  expect(ended.stderr).toMatch(/^hint: /m);
  expect(ended.stderr).not.toMatch(/^\s+at /m);
}

/** The same without another process; how the command shows it is tried once of each kind. */
async function expectRefusal(config: object | string, ...words: readonly RegExp[]): Promise<void> {
  const error: unknown = await start({ cwd: place(config), env: {} }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'E_CONFIG', hint: expect.any(String) as string });
  for (const word of words)
    expect(`${(error as Error).message} ${(error as { hint: string }).hint}`).toMatch(word);
}

describe('a configuration', () => {
  it('with a typo is refused with its path and the nearest right key', async () => {
    const top = await runCli(['ask', 'hello'], { cwd: place({ ...STACK, recal: 'memory' }) });
    expectFailure(top, 'E_CONFIG', /recal\b/, /"?recall"?/, /pagefault\.config\.json/);
    await expectRefusal({ ...STACK, limits: { maxCycle: 3 } }, /maxCycle\b/, /maxCycles/);
    await expectRefusal({ ...STACK, processor: 'reflx' }, /reflx/, /reflex/);
    await expectRefusal({ ...STACK, window: 'large' }, /window/);
  });

  it('that is corrupt is refused with its file and place', async () => {
    const cut = await runCli(['ask', 'hello'], { cwd: place('{ "recall": "memory",\n  "window": ') });
    expectFailure(cut, 'E_CONFIG', /pagefault\.config\.json/, /line 2/);
    await expectRefusal('\u0000\u0001\u0002', /pagefault\.config\.json/);
    await expectRefusal('[]', /object/);
  });
});

describe('a window that is too small for the system prompt', () => {
  it('is refused with the sizes, and a larger one serves the process as if nothing had been', async () => {
    const cwd = place();
    const first = await runCli(['ask', 'My name is Ada.', '--window', '600'], { cwd });
    expectFailure(
      first,
      'E_CONTEXT_IRREDUCIBLE',
      /budget/,
      /tools \d+/,
      /system and blocks \d+/,
      /larger window/,
    );
    const made = await runCli(['ask', 'My name is Ada.'], { cwd });
    expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining('Ada') });
    const shrunk = await runCli(['ask', 'What is my name?', '--window', '600'], { cwd });
    expect(shrunk.status).toBe(1);
    expect(shrunk.stderr + shrunk.stdout).toMatch(/E_CONTEXT_IRREDUCIBLE/);
    const again = await runCli(['ask', 'What is my name?'], { cwd });
    expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('Ada') });
  });
});

describe('a data directory', () => {
  it('under a file is refused with what to do', async () => {
    const cwd = place();
    writeFileSync(join(cwd, 'file'), '');
    const refused = await runCli(['ask', 'hello', '--data', join('file', 'store')], { cwd });
    expectFailure(refused, 'E_DATA_DIR', /ENOTDIR/, /choose another data directory/);
  });

  it('that is open is not opened a second time, neither here nor elsewhere; the first goes on', async () => {
    const cwd = place();
    const data = join(cwd, 'store');
    mkdirSync(data);
    await withMachine(startEmbedded(data), async ({ kernel }) => {
      const agent = await kernel.spawn({ name: 'default' });
      await agent.send('My name is Ada.');
      await expect(startEmbedded(data)).rejects.toMatchObject({
        code: 'E_DATA_DIR_LOCKED',
        message: expect.stringContaining(`process ${process.pid} (this one)`),
        hint: expect.any(String),
      });
      const other = await runCli(['ask', 'What is my name?', '--data', data], { cwd });
      expectFailure(other, 'E_DATA_DIR_LOCKED', new RegExp(`process ${process.pid}\\b`));
      expect(await runCli(['ps', '--data', data], { cwd })).toMatchObject({ status: 0, stderr: '' });
      expect(await agent.send('What is my name?')).toMatchObject({ text: expect.stringContaining('Ada') });
    });
    const next = await runCli(['ask', 'What is my name?', '--data', data], { cwd });
    expect(next).toMatchObject({ status: 0, stdout: expect.stringContaining('Ada') });
  });

  it('that is full of foreign files is left alone', async () => {
    const cwd = place();
    const data = join(cwd, 'store');
    mkdirSync(join(data, 'postgres'), { recursive: true });
    writeFileSync(join(data, 'postgres', 'PG_VERSION'), 'garbage');
    const refused = await runCli(['ask', 'hello', '--data', data], { cwd });
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/error\[E_/) });
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    expect(readFileSync(join(data, 'postgres', 'PG_VERSION'), 'utf8')).toBe('garbage');
  });
});
