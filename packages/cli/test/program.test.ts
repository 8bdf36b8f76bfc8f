import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real program, from sources, in an empty folder and without anybody's settings. */
function pagefault(args: readonly string[], input = ''): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const child = spawn(process.execPath, ['--conditions=source', '--import', TSX, MAIN, ...args], {
    cwd: folder,
    env,
  });
  const shown = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (shown.stderr += text));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...shown }));
  });
}

function config(content: object): string {
  const path = join(folder, 'pagefault.config.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('the program', () => {
  it('talks, remembers in a second run, and is looked into, on the embedded store', async () => {
    config({ embedder: 'none', archival: 'none' });
    const first = await pagefault(['chat'], 'My name is Ada and I breed alpacas in Cork.\n');
    expect(first).toMatchObject({ code: 0 });
    const second = await pagefault(['chat'], 'What do I breed, and where?\n');
    expect(second.stdout).toMatch(/alpacas in Cork/);
    expect(second.stderr).toMatch(/^processor: reflex .* memory: \.pagefault\n$/);
    const { stdout } = await pagefault(['ps', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'default', running: false }]);
  });

  it('explains a slip of the pen in the configuration', async () => {
    const path = config({ windwo: 4096 });
    const { code, stdout, stderr } = await pagefault(['chat', '--config', path], 'hello\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error\[E_CONFIG\]: .*windwo.*did you mean "window"\?/);
  });
});
