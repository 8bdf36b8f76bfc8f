// `npm test`: type check, lint, format check, then every test from sources; only the programs that tests start are built
// (built.mjs). All of them run, also after one failed;
// the last line is `N passed, N failed`, counted over the checks and the tests.

import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, root, tool, watchChild } from './processes.mjs';

const CHECKS = [
  { name: 'typecheck', program: 'tsc', args: ['-p', 'tsconfig.src.json', '--noEmit'] },
  { name: 'lint', program: 'oxlint', args: [] },
  { name: 'format', program: 'prettier', args: ['--check', '--log-level=warn', '.'] },
];

/** `args` go to vitest. The exit code is 1 when anything failed. */
export async function runTests(args) {
  const total = { passed: 0, failed: 0 };
  for (const check of CHECKS) total[(await passes(check)) ? 'passed' : 'failed'] += 1;
  const tests = await runVitest(args);
  printSkipped(tests.skipped);
  total.passed += tests.passed;
  total.failed += tests.failed;
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

async function passes({ name, program, args }) {
  const { code, output } = await capture(process.execPath, [tool(program), ...args]);
  console.log(`${name}: ${code === 0 ? 'ok' : 'failed'}`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}

async function runVitest(args) {
  const folder = mkdtempSync(join(placeForTests(), 'pagefault-test-'));
  // A PostgreSQL server of a test has a user of its own, who must get to its folder.
  chmodSync(folder, 0o755);
  const file = join(folder, 'counts.json');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/count-reporter.mjs')}`];
  try {
    const vitest = [tool('vitest'), 'run', ...reporters, ...args];
    const code = await watchChild(process.execPath, vitest, {
      PAGEFAULT_TEST_COUNTS: file,
      TMPDIR: folder,
    });
    return judge(readCounts(file), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const IN_MEMORY = '/dev/shm';
const ROOM = 4 * 1024 ** 3;

// Stores of tests sync thousands of files, and are thrown away. In memory that waits for no disk; nothing else differs,
// and what tests tell of syncing they count.
function placeForTests() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= ROOM && freemem() >= 2 * ROOM) return IN_MEMORY;
  } catch {
    // There is none.
  }
  return tmpdir();
}

// A run that failed without a failed test (a crash, an error between tests) still counts as one failure.
function judge(counts, code) {
  if (code === 0 || counts.failed > 0) return counts;
  return { ...counts, failed: 1 };
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error(`the test runner left no counts: ${error.message}`);
    return { passed: 0, failed: 1, skipped: [] };
  }
}

// One line for tests of one file that are skipped for one reason: seventy of them say no more than one.
function printSkipped(skipped) {
  for (const tests of groupsOf(skipped)) {
    const [{ name, reason }] = tests;
    const more = tests.length > 1 ? ` and ${tests.length - 1} more` : '';
    console.log(`skipped: ${name}${more} (${reason})`);
  }
}

function groupsOf(skipped) {
  const groups = new Map();
  for (const test of skipped) {
    const key = `${test.file}\n${test.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), test]);
  }
  return groups.values();
}
