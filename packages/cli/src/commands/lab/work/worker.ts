/** A worker thread of a study: it is given tasks one by one, and answers each. */
import { parentPort } from 'node:worker_threads';
import { PagefaultError } from '@pagefault/contracts';
import type { Answer, Asked, Failure } from './protocol.js';
import { Desk, loadInThread } from './task.js';

const desk = new Desk(loadInThread);

parentPort?.on('message', ({ id, task }: Asked) => {
  const answer = (said: Omit<Answer, 'id'>) => parentPort?.postMessage({ id, ...said } satisfies Answer);
  desk.perform(task).then(
    (done) => answer({ done }),
    (error: unknown) => answer({ failure: failureOf(error) }),
  );
});

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && error.cause instanceof Error ? error.cause.stack : undefined;
  if (!PagefaultError.is(error)) return { message, ...(stack !== undefined && { stack }) };
  const { code, hint } = error;
  return { message, code, ...(hint !== undefined && { hint }), ...(stack !== undefined && { stack }) };
}
