import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function start() {
  return promisify(execFile)(process.execPath, ['--conditions=source', '--import', 'tsx', at('local.ts')]);
}

it('talks until its two cents are spent, and says so', async () => {
  const { stdout, stderr } = await start();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^day 1: answered, \$0\.00\d\d so far$/m);
  expect(stdout).toMatch(
    /^day \d+: spend-cap, \$0\.02\d\d so far\nprocess \S+ spent \$0\.02\d+, and limits\.processSpend is \$0\.02; raise limits\.processSpend to go on$/m,
  );
  expect(stdout.match(/spend-cap/g)).toHaveLength(1);
});

it('has at most 25 lines', async () => {
  expect((await readFile(at('../src/index.ts'), 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(
    25,
  );
});
