import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const program = at('../src/index.ts');

function start(file: string) {
  const { OPENAI_API_KEY: _, ANTHROPIC_API_KEY: __, ...env } = process.env;
  return run(process.execPath, ['--conditions=source', '--import', 'tsx', file], { env });
}

it('shows a flush, a page fault, and an answer that came from disk', async () => {
  const { stdout, stderr } = await start(program);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^flush: \d+ pages evicted, \d+ -> \d+ tokens$/m);
  expect(stdout).toMatch(/^page \d+ needed: page fault$/m);
  expect(stdout).toContain('alpacas in Cork');
});

it('has at most 25 lines', async () => {
  expect((await readFile(program, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(25);
});

it('has a short form that is the one in the README, to the letter, and runs', async () => {
  const short = await readFile(at('../src/ten-lines.ts'), 'utf8');
  expect(await readFile(at('../../../README.md'), 'utf8')).toContain(`\`\`\`ts\n${short}\`\`\``);
  const { stdout, stderr } = await start(at('../src/ten-lines.ts'));
  expect({ stderr, first: stdout.split(' ')[0] }).toEqual({ stderr: '', first: 'answered' });
  expect(stdout).toContain('alpacas in Cork');
});
