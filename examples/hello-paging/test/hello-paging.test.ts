import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../src/index.ts', import.meta.url));

it('shows a flush, a page fault, and an answer that came from disk', async () => {
  const { stdout, stderr } = await run(process.execPath, ['--conditions=source', '--import', 'tsx', program]);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^flush: \d+ pages evicted, \d+ -> \d+ tokens$/m);
  expect(stdout).toMatch(/^page \d+ needed: page fault$/m);
  expect(stdout).toContain('alpacas in Cork');
});

it('has at most 25 lines', async () => {
  expect((await readFile(program, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(25);
});
