import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'pagefault-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('leaves nothing in HOME but its own cache, and tells nobody that it is used', () => {
  const script = fileURLToPath(new URL('children/embed.ts', import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), '--conditions=source', script, join(home, 'cache')];
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).toBe('512\n');
  expect(readdirSync(home)).toEqual(['cache']);
});
