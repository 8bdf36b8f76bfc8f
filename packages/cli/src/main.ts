#!/usr/bin/env node
/** The `pagefault` command: connects the commands to this operating-system process. */
import { run } from './commands/program.js';
import { EXIT, type Io } from './commands/shared/io.js';
import type { Wiring } from './commands/shared/machine.js';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  now: () => Date.now(),
  onStop: (listener) => {
    for (const signal of STOP_SIGNALS) process.on(signal, listener);
    return () => STOP_SIGNALS.forEach((signal) => process.off(signal, listener));
  },
  exit: (code) => process.exit(code),
};

// The reader of a pipe went away, as `head` does: there is nobody to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.ok);
});

const wiring = async (): Promise<Wiring> => import('@pagefault/wiring');
process.exitCode = await run(process.argv.slice(2), { io, wiring });
