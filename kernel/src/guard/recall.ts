import type { EraseScope, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { Lifecycle } from './lifecycle.js';

export function guardRecall(driver: RecallDriver): RecallDriver {
  const life = new Lifecycle(driver, 'E_STORAGE');
  return {
    ...headOf(driver, life),
    commit: (commit, signal) => life.call('commit', signal, () => driver.commit(commit, signal)),
    load: (pid, spaces, signal) => life.call('load', signal, () => driver.load(pid, spaces, signal)),
    get: (pid, keys, signal) => life.call('get', signal, () => driver.get(pid, keys, signal)),
    read: (lineage, query, signal) => life.call('read', signal, () => driver.read(lineage, query, signal)),
    scan: (space, query, signal) => life.call('scan', signal, () => driver.scan(space, query, signal)),
    postings: (lineage, collection, terms, signal) =>
      life.call('postings', signal, () => driver.postings(lineage, collection, terms, signal)),
    documents: (lineage, collection, ordinals, signal) =>
      life.call('documents', signal, () => driver.documents(lineage, collection, ordinals, signal)),
    stats: (lineage, signal) => life.call('stats', signal, () => driver.stats(lineage, signal)),
    erase: (scope, signal) =>
      life.call('erase', signal, async () => (namesWhat(driver, scope), driver.erase(scope, signal))),
    acquireLease: (pid, owner, ttl, signal) =>
      life.call('acquireLease', signal, () => driver.acquireLease(pid, owner, ttl, signal)),
    releaseLease: (pid, owner) => life.call('releaseLease', undefined, () => driver.releaseLease(pid, owner)),
  };
}

/** Nothing that was left out may be taken for all of a process (B35). */
function namesWhat({ name }: RecallDriver, scope: EraseScope): void {
  const { pid, whole, seqs }: { pid: string; whole?: unknown; seqs?: unknown } = scope;
  if (pid !== '' && (whole === true) !== Array.isArray(seqs)) return;
  throw new PagefaultError('E_INVALID', `${name}.erase: the scope does not say what to erase of "${pid}"`, {
    driver: name,
    hint: 'give either `whole: true` or `seqs`',
  });
}

/** The head of the wrapped driver, opened and closed through the guard. */
export function headOf<Head extends { kind: unknown; name: string; specVersion: 1; supports: unknown }>(
  { kind, name, specVersion, supports }: Head,
  life: Lifecycle,
): Pick<Head, 'kind' | 'name' | 'specVersion' | 'supports'> & {
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
} {
  return {
    kind,
    name,
    specVersion,
    supports,
    open: (signal) => life.open(signal),
    close: () => life.close(),
  };
}
