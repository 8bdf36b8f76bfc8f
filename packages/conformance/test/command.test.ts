import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importModule } from '../src/command/initializers.js';
import { run } from '../src/command/program.js';

const MAIN = fileURLToPath(new URL('../src/command/main.ts', import.meta.url));
const COMMAND = ['--import=tsx', '--conditions=source', MAIN];

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagefault-conform-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return name;
}

async function conform(...args: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  const to = (name: keyof typeof written) => ({ write: (text: string) => void (written[name] += text) });
  const code = await run(args, { stdout: to('stdout'), stderr: to('stderr'), cwd: folder, env: {} });
  return { code, ...written };
}

/** An initializer of embedders, with parts that may be replaced. */
const initializer = (parts: string): string =>
  `const driver = { kind: 'embedder', open: async () => {}, close: async () => {} };
   export default { kind: 'embedder', name: 'mine', create: () => ({ driver }), ${parts} };`;

describe('pagefault-conform says what to do', () => {
  it('when no file is named', async () => {
    const { code, stderr } = await conform();
    expect(code).toBe(2);
    expect(stderr).toMatch(/no initializer was named\n`pagefault-conform \.\/initializer\.ts`/);
  });

  it('when there is no such file', async () => {
    const { code, stderr } = await conform('absent.ts');
    expect(code).toBe(2);
    expect(stderr).toBe(
      `there is no file ${join(folder, 'absent.ts')}\nthe path is relative to the current folder\n`,
    );
  });

  it.each([
    [
      'exports nothing by default',
      'export const recall = 1, other = 2;',
      /has no default export, only other, recall\nwrite `export default \{ kind: 'recall'/,
    ],
    ['exports an empty list', 'export default [];', /is an empty list\nwrite/],
    ['exports a function', 'export default () => 1;', /an initializer is an object, not function\nwrite/],
    [
      'exports no kind',
      'export default { name: "x" };',
      /there is no `kind`\nknown kinds: recall, archival, embedder, processor/,
    ],
    [
      'exports an unknown kind',
      'export default [{ kind: "recal" }];',
      /the kind "recal" is not known\nknown kinds: recall,/,
    ],
    [
      'names the one of a list that is wrong',
      'export default [{ kind: "recall", name: "a", create() {} }, {}];',
      /, initializer 2: there is no `kind`/,
    ],
    ['has no name', 'export default { kind: "recall" };', /there is no `name`\n/],
    [
      'cannot create',
      'export default { kind: "recall", name: "x" };',
      /`create` is no function\nit gives \{ driver \}/,
    ],
    [
      'throws',
      'throw new TypeError("no database");',
      /cannot be loaded: TypeError: no database\ncorrect the file; PAGEFAULT_DEBUG=1/,
    ],
    ['is no JavaScript', 'export default {', /cannot be loaded: \w*Error: /],
    [
      'registers tests of vitest',
      'throw new Error("Vitest failed to access its internal state.");',
      /registers no tests: export the setup/,
    ],
    [
      'creates nothing',
      initializer('create: () => undefined'),
      /mine: `create` gave no driver\nit gives an object with the member `driver`/,
    ],
    [
      'creates another kind',
      initializer('kind: "recall"'),
      /mine: `create` gave a driver of kind embedder\nthe initializer says recall/,
    ],
    [
      'creates no dimension',
      initializer('kind: "archival", create: () => ({ driver: { ...driver, kind: "archival" } })'),
      /mine: `create` gave no `dimension`\n.*at least 4/,
    ],
    [
      'fails to create',
      initializer('create() { throw new Error("no room"); }'),
      /mine: create failed: Error: no room\nevery case begins with it, so nothing was tested/,
    ],
    [
      'fails to begin',
      initializer('async beforeAll() { throw new Error("no server"); }'),
      /mine: beforeAll failed: Error: no server\n/,
    ],
    [
      'does not open',
      initializer(
        'create: () => ({ driver: { ...driver, open: () => Promise.reject(new Error("ECONNREFUSED")) } })',
      ),
      /mine: open of its driver failed: Error: ECONNREFUSED\n/,
    ],
  ])('when the file %s', async (_title, text, expected) => {
    // prettier-ignore
    const { code, stdout, stderr } = await conform(await file('initializer.mjs', text));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
  });

  const never = 'new Promise(() => {})';
  it.each([
    ['is never read to its end', `await ${never};`, /cannot be loaded: its import does not come to an end\n/],
    ['never creates', initializer(`create: () => ${never}`), /mine: create failed: no end after 0.05 s: /],
    [
      'has a driver that never opens',
      initializer(`create: () => ({ driver: { ...driver, open: () => ${never} } })`),
      /mine: open of its driver failed: no end after 0.05 s: a call of the driver does not come back\n/,
    ],
    [
      'has a driver that never closes',
      initializer(`create: () => ({ driver: { ...driver, close: () => ${never} } })`),
      /mine: close of its driver failed: no end after/,
    ],
  ])('when the file %s', async (_title, text, expected) => {
    const name = await file('initializer.mjs', text);
    const { code, stdout, stderr } = await conform(name, '--timeout', '0.05');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
  });

  it('when --only means nothing, or --timeout no time', async () => {
    const name = await file('initializer.mjs', initializer(''));
    const only = await conform(name, '--only', 'leases');
    expect(only.code).toBe(2);
    expect(only.stderr).toMatch(/^--only "leases" is in no case\nrooms: .*lifecycle.*; --list/);
    const timeout = await conform(name, '--timeout', 'soon');
    expect(timeout.code).toBe(2);
    expect(timeout.stderr).toContain('expected seconds');
  });
});

describe('pagefault-conform', () => {
  it('lists the cases of an initializer, and which its setup cannot show', async () => {
    const { code, stdout } = await conform('--list', await file('initializer.mjs', initializer('')));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mine \(embedder\)\n {2}\S+: /);
    expect(stdout).toContain('before open [skipped: the setup has no `unopened`]');
  });

  it('opens what all instances share before the first case and closes it after the last, also when all fail', async () => {
    const text = initializer(
      'beforeAll() { globalThis.told = ["begin"]; }, afterAll() { globalThis.told.push("end"); }',
    );
    const { code, stdout } = await conform(await file('initializer.mjs', text), '--only', 'manifest');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAILED +\d+ ms {2}manifest /m);
    expect((globalThis as { told?: string[] }).told).toEqual(['begin', 'end']);
  });

  it.each([
    ['a driver', initializer('create: () => ({ driver: { ...driver, embed: () => process.exit(0) } })')],
    ['an initializer', 'process.exit(0);'],
  ])('is not green when %s ends the program', async (_title, text) => {
    const path = join(folder, await file('initializer.mjs', text));
    const { status, stderr } = spawnSync(process.execPath, [...COMMAND, path], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /the program was ended from within, with the code 0, before all was tested\nlook for/,
    );
  });

  const head = 'name: "mine", specVersion: 1, supports: Object.freeze({})';
  it.each([
    ['a method', head, /the driver has no embed: each is a method of the contract/],
    ['a version', 'name: "mine", specVersion: 7', /`specVersion` is 1, not 7/],
    [
      'a manifest',
      'name: "mine", specVersion: 1, supports: null',
      /`supports` is an object, the manifest, not null/,
    ],
  ])('says in words which of the head is wrong: %s', async (_title, parts, expected) => {
    const text = initializer(`create: () => ({ driver: { ...driver, ${parts} } })`);
    const { stdout } = await conform(await file('initializer.mjs', text), '--only', 'manifest');
    expect(stdout).toMatch(expected);
  });

  it('reads TypeScript where Node does not', async () => {
    const text = 'enum Kind { Recall = "recall" }\nexport default { kind: Kind.Recall as string };';
    const refusing = () =>
      Promise.reject(Object.assign(new Error('.ts?'), { code: 'ERR_UNKNOWN_FILE_EXTENSION' }));
    const module = await importModule(join(folder, await file('typed.ts', text)), 9000, refusing);
    expect(module['default']).toEqual({ kind: 'recall' });
    const plain = importModule(join(folder, await file('plain.mjs', text)), 9000, refusing);
    await expect(plain).rejects.toMatchObject({ code: 'E_CONFIG' });
  });
});
