import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '@pagefault/wiring';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

let [world, folder]: [World, string] = [createWorld(), ''];

beforeEach(async () => {
  [world, folder] = [createWorld(), await mkdtemp(join(tmpdir(), 'pagefault-doctor-'))];
});
afterEach(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function doctor(config: object, ...args: readonly string[]) {
  await writeFile(join(folder, 'pagefault.config.json'), JSON.stringify(config));
  return world.run(['doctor', ...args], { cwd: folder });
}

const inMemory = { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex' };
const states = (stdout: string) => stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3));

describe('doctor', () => {
  it('tries every driver, tells what each is, and ends with 0', async () => {
    const { code, stdout } = await doctor({ ...inMemory, archival: 'memory', embedder: 'local' });
    expect(states(stdout).slice(0, 5)).toEqual([
      ['part', 'driver', 'state'],
      ['recall', 'memory', 'well'],
      ['embedder', 'local', 'well'],
      ['archival', 'memory', 'well'],
      ['processor', 'reflex', 'well'],
    ]);
    expect(stdout).toMatch(/dimension \d+; search exact/);
    expect(code).toBe(0);
  });

  it('leaves a store with processes in it as it was', async () => {
    const disks = { recall: 'pglite://./store', archival: 'pgvector', embedder: 'local' };
    const config = { ...inMemory, ...disks };
    await writeFile(join(folder, 'pagefault.config.json'), JSON.stringify(config));
    const listed = async () => {
      await using machine = await start({ cwd: folder, env: {} });
      if ((await machine.kernel.list()).length === 0) await machine.kernel.spawn({ name: 'ada' });
      return await machine.kernel.list();
    };
    const before = await listed();
    const { stdout } = await doctor(config);
    expect(stdout).toMatch(/recall +pglite +well.*server PostgreSQL/);
    expect(stdout).toMatch(/archival +pgvector +well.*dimension \d+; .*with pgvector \d.*index none/);
    expect(await listed()).toEqual(before);
  });

  it('says of one that is ill what is wrong and what to do, tries the others, and ends with 1', async () => {
    const processors = {
      main: 'reflex',
      away: { driver: 'openai', model: 'm', apiKey: 'sk-secret', baseURL: 'http://127.0.0.1:9', attempts: 1 },
    };
    const { code, stdout, stderr } = await doctor({ ...inMemory, processors, processor: 'main' });
    expect(states(stdout).slice(1, 4)).toEqual([
      ['recall', 'memory', 'well'],
      ['processor main', 'reflex', 'well'],
      ['processor away', 'openai', 'ill'],
    ]);
    expect(stdout).toMatch(/^processor away: error\[E_OVERLOADED\].*\n(.*\n)*hint: .*baseURL/m);
    expect(stdout + stderr).not.toContain('sk-secret');
    expect(code).toBe(1);
  });

  it('sends processors nothing when it is told so', async () => {
    const processor = { driver: 'openai', model: 'm', apiKey: 'sk-secret', baseURL: 'http://127.0.0.1:9' };
    const { code, stdout } = await doctor({ ...inMemory, processor }, '--no-ask');
    expect(stdout).toContain('answers not asked');
    expect(code).toBe(0);
  });

  it('is one JSON document for programs', async () => {
    const { stdout } = await doctor(inMemory, '--json');
    const { findings } = JSON.parse(stdout) as { findings: readonly { kind: string; isWell: boolean }[] };
    expect(findings.map(({ kind, isWell }) => [kind, isWell])).toEqual([
      ['recall', true],
      ['processor', true],
    ]);
  });

  it('refuses a configuration that is wrong, with its path', async () => {
    const { code, stderr } = await doctor({ ...inMemory, recall: 'postgers' });
    expect(stderr).toContain('postgres');
    expect(code).toBe(1);
  });
});
