/** Tasks on several threads. Results stand in the order of the tasks, whoever did them, and nothing outlives the call. */
import { Worker } from 'node:worker_threads';
import { PagefaultError } from '@pagefault/contracts';
import { unlessStopped } from '../../shared/stop.js';
import type { Answer, Asked, Failure } from './protocol.js';
import { Queue } from './queue.js';
import type { Done, Task } from './task.js';

export interface PoolOptions {
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onDone: () => void;
}

/** Errors: that of the first task that fails, in their order; the signal's reason. Before it rejects all threads are ended. */
export async function runOnThreads(
  tasks: readonly Task[],
  { jobs, signal, onDone }: PoolOptions,
): Promise<Done[]> {
  const queue = new Queue(tasks);
  const answers: Answer[] = [];
  const take = (answer: Answer) => {
    answers.push(answer);
    if (answer.done === undefined) queue.stopAt(answer.id);
    else onDone();
  };
  const threads = Array.from({ length: Math.min(jobs, tasks.length) }, spawn);
  try {
    await unlessStopped(signal, Promise.all(threads.map((thread) => serve(thread, queue, take))));
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  return answers
    .toSorted((a, b) => a.id - b.id)
    .map(({ done, failure }) => {
      if (done === undefined) throw errorOf(failure);
      return done;
    });
}

function spawn(): Worker {
  const isBuilt = import.meta.url.endsWith('.js');
  return new Worker(new URL(isBuilt ? './worker.js' : './from-sources.mjs', import.meta.url), {
    // Loaders of the parent (a test runner's, a transpiler's) have no business in it.
    execArgv: isBuilt ? [] : ['--conditions=source'],
  });
}

/** Gives a thread one task after the other until none is left. */
function serve(thread: Worker, queue: Queue, take: (answer: Answer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let at: Asked | undefined;
    const next = () => {
      at = queue.after(at);
      if (at === undefined) resolve();
      else thread.postMessage(at);
    };
    thread.on('message', (answer: Answer) => {
      take(answer);
      next();
    });
    thread.on('error', (cause) => reject(lost(at, cause.message, cause)));
    thread.on('exit', (code) => reject(lost(at, `its thread ended with ${code}`)));
    next();
  });
}

function errorOf({ message, code, hint, stack }: Failure = { message: 'no answer was given' }): Error {
  const cause = stack === undefined ? undefined : Object.assign(new Error(message), { stack });
  if (code === undefined) return new Error(message, cause && { cause });
  return new PagefaultError(code, message, { ...(hint !== undefined && { hint }), ...(cause && { cause }) });
}

function lost(asked: Asked | undefined, why: string, cause?: unknown): PagefaultError {
  const what = asked === undefined ? 'a thread' : nameOf(asked.task);
  return new PagefaultError('E_CONFIG', `${what} failed: ${why}`, {
    hint: '`--jobs 1` runs it without threads',
    ...(cause !== undefined && { cause }),
  });
}

function nameOf(task: Task): string {
  return task.kind === 'run'
    ? `${task.policy} at a budget of ${task.options.budget}`
    : `the lower bound at a budget of ${task.setup.budget}`;
}
