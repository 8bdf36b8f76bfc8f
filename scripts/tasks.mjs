// What each npm script does. Every task installs first, when that is needed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';
import { capture, pnpm, root, tool, watchChild } from './processes.mjs';
import { runTests } from './tests.mjs';

const MAIN = join(root, 'packages/cli/dist/main.js');

const tasks = {
  start: (args) => runProgram(['chat', ...args]),
  pagefault: (args) => runProgram(args),
  test: (args) => runTests(args),
  bench: (args) => runSource('bench/run.ts', args),
  soak: (args) => runSoak(args),
  'real-model': (args) => runSource('packages/evals/bench/real-model/main.ts', args),
  conform: (args) => runSource('packages/conformance/src/command/main.ts', args),
  build: (args) => watchChild(...turbo(['--output-logs=new-only', ...args])),
  typecheck: () => watchChild(process.execPath, [tool('tsc'), '-p', 'tsconfig.src.json', '--noEmit']),
  lint: (args) => watchChild(process.execPath, [tool('oxlint'), ...args]),
  format: (args) =>
    watchChild(process.execPath, [tool('prettier'), '--write', '--log-level=warn', '.', ...args]),
};

/** Runs one task; its exit code becomes this program's. */
export async function runTask(name, args) {
  const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined;
  if (!task) throw new Error(`no task "${name ?? ''}"; there are: ${Object.keys(tasks).join(', ')}`);
  process.chdir(root);
  await install().catch((error) => {
    // Whoever reads only the last line of a test run must not take silence for success.
    if (name === 'test') console.log('0 passed, 1 failed');
    throw error;
  });
  await task(args);
}

// The program runs in this very process: standard input, signals and the exit code are its own, with nothing between.
async function runProgram(args) {
  await build();
  if (!existsSync(MAIN)) throw new Error(`the build made no ${MAIN}`);
  process.argv = [process.execPath, MAIN, ...args];
  await import(pathToFileURL(MAIN).href);
}

async function build() {
  const [command, args] = turbo(['--output-logs=errors-only', '--filter=@pagefault/cli']);
  const { code, output } = await capture(command, args);
  if (code === 0) return;
  process.stderr.write(output);
  throw new Error('the build failed');
}

// From the sources, without a build.
async function runSource(path, args) {
  const entry = join(root, path);
  if (!existsSync(entry)) throw new Error(`there is no ${path}`);
  await watchChild(process.execPath, ['--conditions=source', '--import', 'tsx', entry, ...args]);
}

// The tests that kill, far more often than `npm test` does, with far more messages; the script of a life, far longer; and
// random histories, more of them, from another seed each time.
const SOAKS = [
  'drivers/recall-postgres/test/crash.test.ts',
  'packages/evals/test/two-kernels.test.ts',
  'packages/evals/test/invariant-7.test.ts',
  'kernel/test/property',
  'kernel/test/swap',
  'kernel/test/erasure/property.test.ts',
];

async function runSoak(args) {
  const vitest = [tool('vitest'), 'run', '--no-file-parallelism', ...SOAKS, ...args];
  const { PAGEFAULT_ROUNDS = '200', PAGEFAULT_MESSAGES = '2000', PAGEFAULT_STEPS = '500' } = process.env;
  const { PAGEFAULT_RUNS = '100', PAGEFAULT_SEED = `${Date.now() % 1_000_000}` } = process.env;
  console.log(`PAGEFAULT_SEED=${PAGEFAULT_SEED}`);
  const sizes = { PAGEFAULT_ROUNDS, PAGEFAULT_MESSAGES, PAGEFAULT_STEPS, PAGEFAULT_RUNS, PAGEFAULT_SEED };
  await watchChild(process.execPath, vitest, sizes);
}

// turbo looks for pnpm on the PATH: `pnpm exec` through npx puts it there.
function turbo(args) {
  return pnpm(['exec', 'turbo', 'run', 'build', ...args]);
}
