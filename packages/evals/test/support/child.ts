/** Other operating-system processes that run what was built: the command line, or a script of `test/children`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir } from '@pagefault/driver-pglite';

const MAIN = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
// They live for seconds: optimising the database's WebAssembly would take longer than all that is asked of it.
const FLAGS = ['--liftoff-only'];
// Of this process: the seed of the embedded store is made once.
const CACHE = { PAGEFAULT_CACHE_DIR: defaultCacheDir() };

export interface Child {
  readonly process: ChildProcess;
  /** Its lines on standard output, as they come. */
  readonly lines: AsyncIterator<string>;
  /** When it is gone, and all of its output was read. */
  readonly ended: Promise<Ended>;
}

export interface Ended {
  /** Exit code, or the name of the signal that ended it. */
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildOptions {
  readonly cwd: string;
  readonly input?: string;
  /** Leaves standard input open for more. Default: false. */
  readonly keepsInput?: boolean;
  readonly env?: Record<string, string>;
}

export function startCli(args: readonly string[], options: ChildOptions): Child {
  return start([MAIN, ...args], options);
}

/** Runs one command line to its end. */
export async function runCli(args: readonly string[], options: ChildOptions): Promise<Ended> {
  return startCli(args, options).ended;
}

export function startScript(name: string, args: readonly string[], options: ChildOptions): Child {
  return start([fileURLToPath(new URL(`../children/dist/${name}.js`, import.meta.url)), ...args], options);
}

function start(
  args: readonly string[],
  { cwd, input = '', keepsInput = false, env = {} }: ChildOptions,
): Child {
  const child = spawn(process.execPath, [...FLAGS, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  // A child that was killed reads no more; how it ended is told by `ended`.
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  if (!keepsInput) child.stdin.end();
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ status: signal ?? code, ...output }));
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { process: child, lines, ended };
}
