/** All tasks of a study, with a bar on a terminal: on several threads when it is worth their start, else here. */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { GridRow } from '@pagefault/lab';
import { createProgress } from '../../../terminal/index.js';
import type { Io } from '../../shared/io.js';
import { stoppable } from '../../shared/stop.js';
import { runOnThreads } from './pool.js';
import type { Desk, Task } from './task.js';

export interface WorkOptions {
  readonly label: string;
  /** Threads; left out: as many as there are cores when the work is worth it. */
  readonly jobs?: number;
  /** Steps and needs of all tasks together. */
  readonly size: number;
}

/** Steps and needs, about two seconds' work: less is done before threads have begun. */
const WORTH_THREADS = 300_000;

/** In the order of the tasks, whoever did them. Errors: those of the first that fails; `E_ABORTED` at Ctrl-C. */
export async function runTasks(
  io: Io,
  desk: Desk,
  tasks: readonly Task[],
  { label, jobs, size }: WorkOptions,
): Promise<readonly GridRow[]> {
  const wanted = jobs ?? (size < WORTH_THREADS ? 1 : availableParallelism());
  const threads = tasks.some(({ policy }) => isProgram(policy)) ? 1 : Math.min(wanted, tasks.length);
  const progress = progressOf(io, label, tasks.length);
  let done = 0;
  const onDone = () => progress?.update(++done);
  try {
    return await stoppable(io, 'nothing is kept of it', (signal) =>
      threads > 1
        ? runOnThreads(tasks, { jobs: threads, signal, onDone })
        : runHere(desk, tasks, signal, onDone),
    );
  } finally {
    progress?.finish();
  }
}

/** It is one program, which this thread started and will end: other threads would start their own. */
const isProgram = (policy: string) => policy.startsWith('exec:');

/** On a terminal alone: a log needs no bar. */
function progressOf({ stderr: stream, now }: Io, label: string, total: number) {
  return stream.isTTY === true ? createProgress({ stream, label, unit: 'runs', total, now }) : undefined;
}

async function runHere(
  desk: Desk,
  tasks: readonly Task[],
  signal: AbortSignal,
  onDone: () => void,
): Promise<GridRow[]> {
  const rows: GridRow[] = [];
  for (const task of tasks) {
    // Ctrl-C is heard between runs.
    await setImmediate();
    signal.throwIfAborted();
    rows.push(await desk.perform(task));
    onDone();
  }
  return rows;
}
