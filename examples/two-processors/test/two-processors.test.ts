import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function start() {
  return promisify(execFile)(process.execPath, ['--conditions=source', '--import', 'tsx', at('local.ts')]);
}

it('tells one provider something, and the other one knows it: the memory is the same', async () => {
  expect(await start()).toEqual({ stderr: '', stdout: 'gpt: Noted, Ada.\nclaude: Alpacas, in Cork.\n' });
});

it('has at most 25 lines', async () => {
  expect((await readFile(at('../src/index.ts'), 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(
    25,
  );
});
