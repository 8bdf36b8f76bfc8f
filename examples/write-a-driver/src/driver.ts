import { join } from 'node:path';
import { type Lease, PagefaultError, type RecallDriver } from '@pagefault/contracts';
import { createLifecycle } from '@pagefault/driver-kit';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { append, readLines, rewrite } from './journal.js';
import { forget, perform, type Request } from './request.js';

/**
 * Recall in a plain file: a journal of all requests that change something. What they amount to is in memory, where it is
 * looked up; opening performs them again. Errors: `E_STORAGE` beside those of the contract.
 */
export function createFileRecall({ folder }: { readonly folder: string }): RecallDriver {
  const path = join(folder, 'journal.jsonl');
  let now = 0; // When the request under way was made, so that leases run out at the next start as they did.
  let memory = createMemoryRecall();
  let lastWrite: Promise<unknown> = Promise.resolve();
  const { open, close, enter } = createLifecycle('files', () => load().catch(failed));

  async function load(): Promise<void> {
    const fresh = createMemoryRecall({ now: () => now });
    await fresh.open();
    let kept: Request[] = [];
    for (const line of await readLines(path)) {
      const request = JSON.parse(line) as Request;
      now = request.at;
      const isRefused = await perform(request, fresh).then(() => false, () => true); // prettier-ignore
      if (isRefused) continue; // As before: only a crash kept it from being taken back.
      if (request.op === 'erase') kept = forget(kept, request.scope);
      kept.push(request);
    }
    await rewrite(path, kept.map((request) => JSON.stringify(request))); // prettier-ignore
    memory = fresh;
  }

  /** First on the disk, then in memory, and only then answered. Writers go one after another. */
  async function write<T>(request: Request, signal?: AbortSignal): Promise<T> {
    enter(request.op, signal);
    const done = lastWrite.then(async () => {
      const takeBack = await append(path, JSON.stringify(request)).catch(failed);
      now = request.at;
      const answer = await perform(request, memory).catch(async (refusal: unknown) => {
        await takeBack();
        throw refusal;
      });
      if (request.op === 'erase') await load().catch(failed);
      return answer as T;
    });
    lastWrite = done.catch(() => undefined); // Whoever wrote is told.
    return done;
  }

  return {
    kind: 'recall',
    name: 'files',
    specVersion: 1,
    supports: Object.freeze({ shared: false, durable: true }),
    open,
    close: () => lastWrite.then(close).then(() => memory.close()),
    commit: (commit, signal) => write({ op: 'commit', at: Date.now(), commit }, signal),
    load: (...args) => memory.load(...args),
    get: (...args) => memory.get(...args),
    read: (...args) => memory.read(...args),
    scan: (...args) => memory.scan(...args),
    postings: (...args) => memory.postings(...args),
    documents: (...args) => memory.documents(...args),
    stats: (...args) => memory.stats(...args),
    erase: (scope, signal) => write({ op: 'erase', at: Date.now(), scope }, signal),
    acquireLease: (pid, owner, ttl, signal) =>
      write<Lease | undefined>({ op: 'acquireLease', at: Date.now(), pid, owner, ttl }, signal),
    releaseLease: (pid, owner) => write({ op: 'releaseLease', at: Date.now(), pid, owner }),
  };
}

function failed(cause: unknown): never {
  throw new PagefaultError('E_STORAGE', `the journal failed: ${String(cause)}`, { driver: 'files', cause });
}
