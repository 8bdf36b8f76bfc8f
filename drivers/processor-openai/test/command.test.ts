import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = at('../../../packages/conformance/bin/pagefault-conform.mjs');

it('is proved by pagefault-conform, too', async () => {
  const node = ['--conditions=source', '--import', import.meta.resolve('tsx'), COMMAND];
  const only = ['--only', 'lifecycle', '--only', 'manifest'];
  const { stdout } = await promisify(execFile)(process.execPath, [...node, at('initializer.ts'), ...only]);
  expect(stdout).toMatch(/\n([5-9]|1\d) passed, 0 failed, 0 skipped in/);
});
