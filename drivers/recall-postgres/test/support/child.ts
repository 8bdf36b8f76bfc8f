/** Other operating-system processes that run a script of `test/children`, as it was built. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly process: ChildProcess;
  /** Its lines on standard output, as they come. */
  readonly lines: AsyncIterator<string>;
  /** When it is gone, and all of its output was read: exit code, or the name of the signal. */
  readonly ended: Promise<{ readonly status: number | string | null; readonly stderr: string }>;
}

export function startScript(name: string, args: readonly string[]): Child {
  const script = fileURLToPath(new URL(`../children/dist/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<{ status: number | string | null; stderr: string }>((resolve) => {
    child.on('close', (code, signal) => resolve({ status: signal ?? code, stderr }));
  });
  return { process: child, lines, ended };
}
