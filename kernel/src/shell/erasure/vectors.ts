/** Waits until the archival index has forgotten what went. The outbox asks it to; this only looks on. */
import type { Milliseconds, Pid, RecallDriver, Scope } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { OutboxEntry } from '../../core/journal.js';
import type { Environment } from '../environment.js';
import { outboxRow } from '../search/outbox-rows.js';
import { knownScopes } from '../search/scopes.js';

/** Whether there may be vectors of the process, in an index that this kernel has or in another. */
export async function mayHaveVectors({ indexer, services }: Environment, pid: Pid): Promise<boolean> {
  return indexer !== undefined || (await knownScopes(services.recall, pid)).length > 0;
}

/** Undefined when all are gone; else why not. Waits no longer than `erasureWaitMs`: the index goes on by itself. */
export async function settleVectors(
  { indexer, services, limits }: Environment,
  pid: Pid,
  indexed: readonly OutboxEntry[],
): Promise<string | undefined> {
  const left = await pending(services.recall, pid, indexed);
  if (left.length === 0) return undefined;
  const some = `the vectors of ${left.length} texts are still in the archival index`;
  if (!indexer) return `${some}: this kernel has none; boot one with the index that the process had`;
  try {
    await within(limits.erasureWaitMs, indexer.settle(pid, left));
    return undefined;
  } catch (error) {
    return `${some}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** All vectors of a process that is gone. Undefined when they are; else why not. */
export async function forgetVectors(
  { indexer, limits }: Environment,
  pid: Pid,
  scopes: readonly Scope[],
): Promise<string | undefined> {
  if (!indexer && scopes.length === 0) return undefined;
  const all = 'its vectors are still in the archival index';
  if (!indexer) return `${all}: this kernel has none; boot one with the index that the process had`;
  try {
    await within(limits.erasureWaitMs, indexer.forget(pid, scopes));
    return undefined;
  } catch (error) {
    return `${all}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function pending(
  recall: RecallDriver,
  pid: Pid,
  indexed: readonly OutboxEntry[],
): Promise<readonly string[]> {
  if (indexed.length === 0) return [];
  return (await recall.get(pid, indexed.map(outboxRow))).map(({ key }) => key);
}

async function within(limit: Milliseconds, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new PagefaultError('E_TIMEOUT', `it did not answer within ${limit} ms`));
    }, limit);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined); // Told as late; its rows stay in the outbox.
  }
}
