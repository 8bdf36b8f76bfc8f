import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

type Rerun = () => Promise<void>;
interface Project {
  readonly config: { readonly root: string };
  onTestsRerun(listener: Rerun): void;
}

const script = new URL('../scripts/built.mjs', import.meta.url).href;
const { default: setup } = (await import(script)) as { default(project: Project): Promise<void> };

let folder = '';
let reruns: Rerun[] = [];
beforeEach(() => {
  reruns = [];
  folder = mkdtempSync(join(tmpdir(), 'pagefault-built-'));
  mkdirSync(join(folder, 'src'));
  const options = { rootDir: 'src', outDir: 'dist', composite: true, types: [], module: 'NodeNext' };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['src'] }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string): void => writeFileSync(join(folder, 'src/says.mts'), text);
const says = (): string => execFileSync(process.execPath, [join(folder, 'dist/says.mjs')]).toString();
const build = (): Promise<void> =>
  setup({ config: { root: folder }, onTestsRerun: (listener) => void reruns.push(listener) });
const SAY = "declare const process: { stdout: { write(text: string): void } };\nprocess.stdout.write('";

describe('programs that tests start', () => {
  it('are built before a run, and again when their sources changed, also while tests are watched', async () => {
    write(`${SAY}first');`);
    await build();
    expect(says()).toBe('first');
    write(`${SAY}second');`);
    await build();
    expect(says()).toBe('second');
    write(`${SAY}third');`);
    await reruns[0]?.();
    expect(says()).toBe('third');
  });

  it('are not started when they cannot be built, and the reason is told', async () => {
    write(`${SAY}whole');`);
    await build();
    write('export const n: number = "text";');
    await expect(build()).rejects.toThrow(/says\.mts.*not assignable/);
    write(`${SAY}mended');`);
    await build();
    expect(says()).toBe('mended');
  });
});
