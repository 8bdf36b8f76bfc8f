/**
 * Which parts of the archival index hold vectors of a process. Written before the first vector, one row a part: another
 * embedder may have been in use once, and whoever erases must not forget what it left.
 */
import type { Collection, EmbedderDriver, Pid, RecallDriver, Scope } from '@pagefault/contracts';

import { MESSAGE_FORM } from '../core/search/index.js';

const SCOPE_SPACE = 'scopes';

/**
 * One part of the index for each process, collection, embedder and form of vector: vectors of two kinds never meet.
 */
export function scopeOf(collection: Collection, pid: Pid, embedder: EmbedderDriver): Scope {
  const form = collection === 'messages' ? `/${MESSAGE_FORM}` : '';
  return `${prefixOf(collection, pid)}${embedder.supports.fingerprint}${form}`;
}

function prefixOf(collection: Collection, pid: Pid): string {
  return `${collection === 'messages' ? 'recall' : 'archive'}/${pid}/`;
}

/** Remembers, for one kernel, which rows were written already. */
export class ScopeRegister {
  readonly #recall: RecallDriver;
  readonly #noted = new Set<Scope>();

  constructor(recall: RecallDriver) {
    this.#recall = recall;
  }

  async note(pid: Pid, scope: Scope): Promise<void> {
    if (this.#noted.has(scope)) return;
    const row = { space: SCOPE_SPACE, key: scope };
    if ((await this.#recall.get(pid, [row])).length === 0)
      await this.#recall.commit({ pid, puts: [{ ...row, value: {} }] });
    this.#noted.add(scope);
  }

  forget(scopes: readonly Scope[]): void {
    for (const scope of scopes) this.#noted.delete(scope);
  }
}

/** Those that have a row; of one collection, or of both. */
export async function knownScopes(
  recall: RecallDriver,
  pid: Pid,
  collection?: Collection,
): Promise<readonly Scope[]> {
  const rows = await recall.load(pid, [SCOPE_SPACE]);
  const scopes = rows.map(({ key }) => key);
  return collection ? scopes.filter((scope) => scope.startsWith(prefixOf(collection, pid))) : scopes;
}
