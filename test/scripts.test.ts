import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-scripts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function node(args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 50_000,
  });
}

describe('the scripts', () => {
  it('say which tasks there are when asked for another', () => {
    const { status, stdout, stderr } = node([join(root, 'scripts/run.mjs'), 'deploy']);
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'no task "deploy"; there are: start, pagefault, test, bench, soak, real-model, conform, build, typecheck, lint, format\n',
    });
  });

  it('count what passed, what failed, what could not be loaded, and what was skipped and why', () => {
    const tests = [
      "it('passes', () => {});",
      "it('fails', () => { throw new Error('no'); });",
      "it('waits', ({ skip }) => skip('no network'));",
      "it.skip('rests', () => {});",
    ];
    writeFileSync(join(folder, 'a.test.mjs'), tests.join('\n'));
    writeFileSync(join(folder, 'b.test.mjs'), "throw new Error('cannot be loaded');");
    const file = join(folder, 'counts.json');
    const reporter = `--reporter=${join(root, 'scripts/count-reporter.mjs')}`;
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    node([vitest, 'run', '--globals', `--root=${folder}`, reporter], { PAGEFAULT_TEST_COUNTS: file });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      passed: 1,
      failed: 2,
      skipped: [
        {
          file: join(folder, 'a.test.mjs'),
          name: expect.stringContaining('waits') as string,
          reason: 'no network',
        },
        {
          file: join(folder, 'a.test.mjs'),
          name: expect.stringContaining('rests') as string,
          reason: 'no reason given',
        },
      ],
    });
  });
});
