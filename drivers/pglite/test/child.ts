import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

// They live for seconds: optimising the database's WebAssembly would take longer than all that is asked of it.
const FLAGS = ['--liftoff-only'];

/** Another operating-system process that runs a script of `test/children`, as it was built. */
export interface Child {
  readonly process: ChildProcess;
  /** Its lines on standard output, as they come. */
  readonly lines: AsyncIterator<string>;
  /** Exit code, or the signal's name; and all that it wrote to standard error. */
  readonly ended: Promise<{ status: number | string | null; stderr: string }>;
}

export function startChild(script: string, ...args: readonly string[]): Child {
  const file = new URL(`./children/dist/${script}.js`, import.meta.url).pathname;
  const process_ = spawn(process.execPath, [...FLAGS, file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  process_.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<{ status: number | string | null; stderr: string }>((resolve) => {
    process_.on('close', (code, signal) => resolve({ status: signal ?? code, stderr }));
  });
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
  return { process: process_, lines, ended };
}
