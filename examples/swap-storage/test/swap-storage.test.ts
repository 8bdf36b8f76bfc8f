import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { findPostgres } from '@pagefault/doubles';
import { expect, it } from 'vitest';

const { PAGEFAULT_PG_URL: _, ...env } = process.env;

async function lines(path: string, ...args: readonly string[]): Promise<string[]> {
  const program = fileURLToPath(new URL(path, import.meta.url));
  const node = ['--conditions=source', '--import', 'tsx', program, ...args];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, node, { env });
  expect(stderr).toBe('');
  return stdout.split('\n');
}

/** What one stack said, answer by answer; ids of passages are new each time. */
function saidBy(stack: string, all: readonly string[]): string[] {
  const own = all.filter((line) => line.startsWith(`  ${stack} `)).map((line) => line.slice(11).trim());
  return own.map((line) => line.replaceAll(/\(p[0-9a-f-]{36}\)/g, '(p…)'));
}

it('says the same on every stack, and goes on with one process on another (invariant 7)', async () => {
  const all = await lines('local.ts');
  const memory = saidBy('memory', all);
  expect(memory).toHaveLength(6);
  expect(memory[0]).toContain('alpacas in Cork');
  expect(memory[2]).toContain('Day 17: the shearer came and took eleven fleeces.');
  expect(memory[4]).toMatch(/^111, 1, [1-9]/);
  expect(saidBy('embedded', all)).toEqual(memory);
  const hasServer = findPostgres() !== undefined;
  expect(saidBy('server', all)).toEqual(hasServer ? memory : []);
  expect(all).toContain(`ada goes to ${hasServer ? 'server' : 'elsewhere'}: 111 messages copied`);
  expect(all.at(-2)).toContain('"My name is Ada and I breed alpacas in Cork." (m1)');
});

it('leaves a stack out whose variable is not set, and says which', async () => {
  const all = await lines('../src/index.ts', 'server');
  expect(all).toHaveLength(3);
  expect(all[0]).toMatch(/^server is left out: .*server\.json: recall\.connectionString: the environment variable PAGEFAULT_PG_URL is not set/); // prettier-ignore
});
