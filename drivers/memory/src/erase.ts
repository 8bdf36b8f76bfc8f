import type { EraseScope, PartsOfProcess } from '@pagefault/contracts';
import { checkFence } from './check.js';
import { entryAt, type Log, type ProcessStore, type Store } from './store.js';
import { removeDocuments } from './text.js';

/** Checks first and never waits, so it is atomic. Resolves to the number of log entries erased. */
export function erase(store: Store, scope: EraseScope): number {
  const owner = store.processes.get(scope.pid);
  checkFence(owner, scope);
  if (!owner) return 0;
  if (!('whole' in scope)) return eraseParts(owner, scope);
  store.processes.delete(scope.pid);
  return owner.log.entries.filter((stored) => stored !== undefined).length;
}

function eraseParts({ log, texts }: ProcessStore, { seqs, passages = [] }: PartsOfProcess): number {
  const [gone, ordinals] = [new Set(seqs), new Set(passages)];
  removeDocuments(texts.get('messages'), ({ seq }) => gone.has(seq));
  removeDocuments(texts.get('passages'), ({ ordinal }) => ordinals.has(ordinal));
  return [...gone].filter((seq) => eraseEntry(log, seq)).length;
}

/** The place stays: the log goes on behind it. */
function eraseEntry(log: Log, seq: number): boolean {
  const entry = entryAt(log, seq);
  if (!entry) return false;
  log.entries[seq - log.first] = undefined;
  log.seqs.delete(entry.message.id);
  return true;
}
