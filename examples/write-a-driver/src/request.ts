import type { Commit, EraseScope, PartsOfProcess, RecallDriver } from '@pagefault/contracts';

/** A line of the journal: something that was asked of the driver, and when. */
export type Request = { readonly at: number } & (
  | { readonly op: 'commit'; readonly commit: Commit }
  | { readonly op: 'erase'; readonly scope: EraseScope }
  | { readonly op: 'acquireLease'; readonly pid: string; readonly owner: string; readonly ttl: number }
  | { readonly op: 'releaseLease'; readonly pid: string; readonly owner: string }
);

/** Asks it of a driver, now or at the next start: after the same requests the answer is the same. */
export async function perform(request: Request, driver: RecallDriver): Promise<unknown> {
  if (request.op === 'commit') return driver.commit(request.commit);
  if (request.op === 'erase') return driver.erase(request.scope);
  if (request.op === 'releaseLease') return driver.releaseLease(request.pid, request.owner);
  return driver.acquireLease(request.pid, request.owner, request.ttl);
}

/** What earlier requests may still say once a scope is erased: where messages stood, and no word of them. */
export function forget(requests: readonly Request[], scope: EraseScope): Request[] {
  return requests.flatMap((request) => {
    if (request.op !== 'commit' || request.commit.pid !== scope.pid) return [request];
    return 'whole' in scope ? [] : [{ ...request, commit: blanked(request.commit, scope) }];
  });
}

function blanked(commit: Commit, { seqs, passages = [] }: PartsOfProcess): Commit {
  const appends = (commit.appends ?? []).map((entry) => {
    const { id, role, at } = entry.message;
    return seqs.includes(entry.seq) ? { ...entry, message: { id, role, at, parts: [] } } : entry;
  });
  const documents = (commit.documents ?? []).filter(({ collection, seq, ordinal }) =>
    collection === 'messages' ? !seqs.includes(seq) : !passages.includes(ordinal),
  );
  return { ...commit, appends, documents };
}
