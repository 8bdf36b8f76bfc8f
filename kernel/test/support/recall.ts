/** Recall doubles: the memory driver with one thing wrong. */
import type { Commit, RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';

/** What happens to a commit: it passes, fails before it is written, or fails after it was. */
export type Fate = 'pass' | 'fail-before' | 'fail-after';

export interface WatchedRecall extends RecallDriver {
  readonly commits: Commit[];
}

/** `fate` is asked for the n-th commit, from 1. */
export function faultyRecall(
  fate: (n: number, commit: Commit) => Fate,
  base: RecallDriver = createMemoryRecall(),
): WatchedRecall {
  const commits: Commit[] = [];
  return {
    ...base,
    commits,
    commit: async (commit, signal) => {
      const now = fate(commits.push(commit), commit);
      if (now === 'fail-before') throw new Error('ECONNRESET');
      await base.commit(commit, signal);
      if (now === 'fail-after') throw new Error('ETIMEDOUT');
    },
  };
}

export function watchedRecall(base: RecallDriver = createMemoryRecall()): WatchedRecall {
  return faultyRecall(() => 'pass', base);
}

/** For kernels that share a store: none of them closes it for the others. */
export function keptOpen(base: RecallDriver = createMemoryRecall()): RecallDriver {
  return { ...base, close: async () => undefined };
}

/** Lets other work run between a call and its answer, as a network does. */
export function slowRecall(base: RecallDriver = createMemoryRecall()): RecallDriver {
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    await turnOfTheLoop();
    const result = await work();
    await turnOfTheLoop();
    return result;
  };
  return {
    ...base,
    commit: (...args) => later(() => base.commit(...args)),
    load: (...args) => later(() => base.load(...args)),
    get: (...args) => later(() => base.get(...args)),
    read: (...args) => later(() => base.read(...args)),
  };
}

export function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
