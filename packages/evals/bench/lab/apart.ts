import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Measured, Task } from './measure.js';

/** Runs one measurement in a process of its own, and waits for its end. */
export function measureApart(task: Task): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)));
    let measured: Measured | undefined;
    child.once('message', (message: Measured) => (measured = message));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (measured) resolve(measured);
      else reject(new Error(`measuring ${JSON.stringify(task)} ended with exit code ${code}`));
    });
    child.send(task);
  });
}
