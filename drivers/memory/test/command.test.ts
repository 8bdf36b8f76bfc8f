import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { brokenRecalls } from '@pagefault/conformance/broken';
import { describe, expect, it } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = at('../../../packages/conformance/bin/pagefault-conform.mjs');
const LOADER = import.meta.resolve('tsx');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command from a folder that has nothing to do with the driver. */
function conform(...args: readonly string[]): Promise<Ended> {
  const node = ['--conditions=source', '--import', LOADER, COMMAND, ...args];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, node, { cwd: tmpdir() }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly suites: readonly {
    readonly name: string;
    readonly cases: readonly { readonly name: string; readonly state: string; readonly why?: string }[];
  }[];
}

function failuresOf({ stdout }: Ended, suite: string): { name: string; why: string | undefined }[] {
  const { suites } = JSON.parse(stdout) as Report;
  const cases = suites.find(({ name }) => name === suite)?.cases ?? [];
  return cases.filter(({ state }) => state === 'failed').map(({ name, why }) => ({ name, why }));
}

describe('pagefault-conform', () => {
  it('passes good drivers of both kinds, in TypeScript and from any folder, and says what was skipped and why', async () => {
    const { code, stdout, stderr } = await conform(at('initializers/good.ts'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^memory recall: the suite of recall drivers$/m);
    expect(stdout).toMatch(/^ok +\d+ ms {2}lease +is refused to another owner while it is valid$/m);
    expect(stdout).toMatch(/^memory archival: the suite of archival drivers$/m);
    expect(stdout).toMatch(/^skipped .*refused before open \(the setup has no `unopened`\)$/m);
    expect(stdout).toMatch(/\n\d{3} passed, 0 failed, 7 skipped in \d+\.\d s\n$/);
  });

  it('fails a driver that breaks a rule: it names the cases that noticed, and what they saw', async () => {
    const { code, stdout } = await conform(at('initializers/broken.ts'));
    expect(code).toBe(1);
    const failed = [...stdout.matchAll(/^FAILED a recall that ignores fences: (.*)$/gm)].map(
      ([, name]) => name,
    );
    const broken = brokenRecalls.find(({ rule }) => rule.includes('fence'));
    expect(failed).toEqual(broken?.mustFail.filter((name) => !name.startsWith('model:')));
    expect(stdout).toContain("  + 'no error'\n  - 'E_LEASE_LOST'\n");
    expect(stdout).toMatch(/\n\d+ passed, 3 failed, 2 skipped in/);
  });

  it('survives drivers that hang, throw where nobody waits (B04), or leave something open', async () => {
    const ended = await conform(at('initializers/faults.ts'), '--json', '--timeout', '5');
    expect(ended.code).toBe(1);
    expect(failuresOf(ended, 'hangs')).toEqual([
      {
        name: 'list: a cursor that is none of the driver’s own is E_INVALID',
        why: 'no end after 5 s: a call of the driver does not come back',
      },
    ]);
    expect(failuresOf(ended, 'throws outside')).toEqual([
      {
        name: 'upsert: an empty batch is no error',
        why: expect.stringContaining('because of: Error: a lost socket') as string,
      },
    ]);
    expect(failuresOf(ended, 'stays open')).toEqual([
      {
        name: 'lifecycle: after the last close nothing keeps the program running',
        why: expect.stringMatching(/^still open: TCPServerWrap/) as string,
      },
    ]);
  });

  it('runs a room or some cases alone, and lists them without running', async () => {
    const only = ['--only', 'fence', '--only', 'ITS OWN LOG'];
    const { stdout } = await conform(at('initializers/good.ts'), ...only, '--json');
    const { passed, failed, suites } = JSON.parse(stdout) as Report;
    expect([passed, failed, suites.map(({ name }) => name)]).toEqual([4, 0, ['memory recall']]);
    const listed = await conform('--list', ...only);
    expect(listed.stdout.split('\n').map((line) => line.trim())).toEqual([
      'recall',
      ...(suites[0]?.cases.map(({ name }) => name) ?? []),
      '',
    ]);
  });
});
