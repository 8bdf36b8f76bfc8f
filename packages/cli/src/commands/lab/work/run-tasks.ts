/** All tasks of a study, with a bar on a terminal: on several threads when it is worth their start, else here. */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { createProgress } from '../../../terminal/index.js';
import type { Io } from '../../shared/io.js';
import { stoppable } from '../../shared/stop.js';
import { runOnThreads } from './pool.js';
import type { Desk, Done, Task } from './task.js';

export interface WorkOptions {
  readonly label: string;
  /** Threads; left out: as many as there are cores when the work is worth it. */
  readonly jobs?: number;
  /** Steps and needs of all tasks together. */
  readonly size: number;
}

/**
 * Steps and needs, some four seconds' work. A thread takes a second of a core to load, and half of one or more until its code
 * is warm; so two free cores win from about three seconds' work on, and where other programs want the cores nobody wins.
 */
const WORTH_THREADS = 300_000;

/** In the order of the tasks, whoever did them. Errors: those of the first that fails; `E_ABORTED` at Ctrl-C. */
export async function runTasks(
  io: Io,
  desk: Desk,
  tasks: readonly Task[],
  { label, jobs, size }: WorkOptions,
): Promise<readonly Done[]> {
  const wanted = jobs ?? (size < WORTH_THREADS ? 1 : availableParallelism());
  const threads = tasks.some(isProgram) ? 1 : Math.min(wanted, tasks.length);
  const progress = progressOf(io, label, tasks);
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
const isProgram = (task: Task) => task.kind === 'run' && task.policy.startsWith('exec:');

/** On a terminal alone: a log needs no bar. */
function progressOf({ stderr: stream, now }: Io, label: string, tasks: readonly Task[]) {
  if (stream.isTTY !== true) return undefined;
  const unit = tasks.some(({ kind }) => kind === 'bound') ? 'runs and bounds' : 'runs';
  return createProgress({ stream, label, unit, total: tasks.length, now });
}

async function runHere(
  desk: Desk,
  tasks: readonly Task[],
  signal: AbortSignal,
  onDone: () => void,
): Promise<Done[]> {
  const all: Done[] = [];
  for (const task of tasks) {
    // Ctrl-C is heard between runs.
    await setImmediate();
    signal.throwIfAborted();
    all.push(await desk.perform(task));
    onDone();
  }
  return all;
}
