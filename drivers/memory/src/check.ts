import { type Commit, type LogEntry, type PagefaultError, type SearchDocument } from '@pagefault/contracts';
import { refusal } from './errors.js';
import { lastPosition, type ProcessStore } from './store.js';

/** Errors: `E_LEASE_LOST`, `E_CONFLICT`. Returns when the whole commit can be written. */
export function checkCommit(owner: ProcessStore | undefined, commit: Commit): void {
  checkFence(owner, commit);
  checkExpectations(owner, commit);
  checkAppends(owner, commit.appends ?? []);
  checkDocuments(owner, commit.documents ?? []);
}

// An expired lease still counts while nobody else took it: its fence is the newest one.
export function checkFence(
  owner: ProcessStore | undefined,
  { pid, fence }: Pick<Commit, 'pid' | 'fence'>,
): void {
  if (fence === undefined || owner?.lease?.fence === fence) return;
  throw refusal(
    'E_LEASE_LOST',
    `the fence ${fence} of ${pid} is not the lease's (${owner?.lease?.fence ?? 'there is none'})`,
    'stop running this process: another kernel may hold it',
  );
}

function checkExpectations(owner: ProcessStore | undefined, commit: Commit): void {
  for (const { space, key, version } of commit.expect ?? []) {
    const actual = owner?.spaces.get(space)?.get(key)?.version ?? 0;
    if (actual === version) continue;
    throw conflict(`row ${space}/${key} of ${commit.pid} has version ${actual}, expected ${version}`);
  }
}

/** The first entry of a new log may be anywhere: a fork goes on where its parent was cut. */
function checkAppends(owner: ProcessStore | undefined, appends: readonly LogEntry[]): void {
  const fresh = new Set<string>();
  let last = owner && lastPosition(owner.log);
  for (const { seq, message } of appends) {
    if (last !== undefined && seq !== last + 1) throw conflict(`position ${seq} does not follow ${last}`);
    const isTaken = fresh.has(message.id) || owner?.log.seqs.has(message.id);
    if (isTaken) throw conflict(`message id ${message.id} is taken`);
    fresh.add(message.id);
    last = seq;
  }
}

function checkDocuments(owner: ProcessStore | undefined, documents: readonly SearchDocument[]): void {
  const fresh = new Set<string>();
  for (const { collection, ordinal } of documents) {
    const place = `${collection} ${ordinal}`;
    const isTaken = fresh.has(place) || owner?.texts.get(collection)?.documents.has(ordinal);
    if (isTaken) throw conflict(`document ${place} is taken`);
    fresh.add(place);
  }
}

function conflict(message: string): PagefaultError {
  return refusal('E_CONFLICT', message, 'read again, then decide again');
}
