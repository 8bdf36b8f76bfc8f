/**
 * Which parts of the archival index hold vectors of a process. Written before the first vector, one row a part: another
 * embedder may have been in use once, and whoever erases must not forget what it left.
 *
 * A part with a row is whole: all texts of the process have a vector there, or wait for one in the outbox. So whatever was
 * written before a part was in use, with another embedder, another form of vectors or none at all, is put into the
 * outbox before the row is written. And once vectors go into one part, the others of its collection get no more of them:
 * they are marked as partial, and made whole anew if their embedder comes back.
 */
import type {
  ArchivalDriver,
  Collection,
  EmbedderDriver,
  Pid,
  RecallDriver,
  Row,
  Scope,
} from '@pagefault/contracts';
import { MESSAGE_FORM } from '../../core/search/index.js';
import { fillOutbox } from './catch-up.js';

export const SCOPE_SPACE = 'scopes';
const COLLECTIONS: readonly Collection[] = ['messages', 'passages'];

/**
 * One part of the index for each process, collection, embedder and form of vector: vectors of two kinds never meet.
 */
export function scopeOf(collection: Collection, pid: Pid, embedder: EmbedderDriver): Scope {
  const form = collection === 'messages' ? `/${MESSAGE_FORM}` : '';
  return `${plainScope(collection, pid, embedder)}${form}`;
}

function plainScope(collection: Collection, pid: Pid, embedder: EmbedderDriver): Scope {
  return `${prefixOf(collection, pid)}${embedder.supports.fingerprint}`;
}

function prefixOf(collection: Collection, pid: Pid): string {
  return `${collection === 'messages' ? 'recall' : 'archive'}/${pid}/`;
}

/** What a part's row holds. */
interface ScopeMark {
  /** Texts were written since that have no vector there. */
  readonly partial?: boolean;
}

interface Stores {
  readonly recall: RecallDriver;
  readonly archival: ArchivalDriver;
  readonly embedder: EmbedderDriver;
}

/** Remembers, for one kernel, which parts are whole. */
export class ScopeRegister {
  readonly #stores: Stores;
  readonly #whole = new Set<Scope>();
  readonly #looked = new Set<Pid>();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** Before vectors of a part are stored. `inHand` are the documents that these are of. */
  async note(
    pid: Pid,
    collection: Collection,
    inHand: ReadonlySet<number>,
    signal?: AbortSignal,
  ): Promise<void> {
    const scope = scopeOf(collection, pid, this.#stores.embedder);
    if (this.#whole.has(scope)) return;
    const rows = await scopeRows(this.#stores.recall, pid, collection);
    await this.#leaveOthers(pid, scope, rows, signal);
    if (!isWhole(rows, scope))
      await this.#begin(
        pid,
        collection,
        rows.map(({ key }) => key),
        inHand,
        signal,
      );
    this.#whole.add(scope);
  }

  /** What is written from now on has its vectors in one part alone. */
  async #leaveOthers(pid: Pid, scope: Scope, rows: readonly Row[], signal?: AbortSignal): Promise<void> {
    const left = rows.filter(({ key }) => key !== scope && isWhole(rows, key));
    const puts = left.map(({ key }) => ({ space: SCOPE_SPACE, key, value: { partial: true } }));
    if (puts.length > 0) await this.#stores.recall.commit({ pid, puts }, signal);
  }

  /** Makes the parts of a process whole that it has texts for. Asks the store once a process. */
  async catchUp(pid: Pid, signal?: AbortSignal): Promise<void> {
    if (this.#looked.has(pid)) return;
    const rows = await scopeRows(this.#stores.recall, pid);
    const known = rows.map(({ key }) => key);
    for (const collection of COLLECTIONS) {
      if (!isWhole(rows, scopeOf(collection, pid, this.#stores.embedder)))
        await this.#begin(pid, collection, known, new Set(), signal);
    }
    this.#looked.add(pid);
  }

  forget(pid: Pid): void {
    this.#looked.delete(pid);
    for (const collection of COLLECTIONS) this.#whole.delete(scopeOf(collection, pid, this.#stores.embedder));
  }

  /** The row comes last: whatever goes wrong, all is done again. What is left of an older form nobody reads any more. */
  async #begin(
    pid: Pid,
    collection: Collection,
    known: readonly Scope[],
    inHand: ReadonlySet<number>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { recall, archival, embedder } = this.#stores;
    const waiting = await fillOutbox(recall, pid, collection, inHand, signal);
    if (waiting === 0 && inHand.size === 0) return;
    const scope = scopeOf(collection, pid, embedder);
    const plain = plainScope(collection, pid, embedder);
    const former = known.filter((one) => one !== scope && (one === plain || one.startsWith(`${plain}/`)));
    for (const one of former) await archival.remove(one, 'all', signal);
    const row = (key: Scope) => ({ space: SCOPE_SPACE, key });
    await recall.commit({ pid, puts: [{ ...row(scope), value: {} }], deletes: former.map(row) });
  }
}

/** Those that have a row, whole or not; of one collection, or of both. */
export async function knownScopes(
  recall: RecallDriver,
  pid: Pid,
  collection?: Collection,
): Promise<readonly Scope[]> {
  return (await scopeRows(recall, pid, collection)).map(({ key }) => key);
}

/** Of one collection, or of both. */
export async function scopeRows(
  recall: RecallDriver,
  pid: Pid,
  collection?: Collection,
): Promise<readonly Row[]> {
  const rows = await recall.load(pid, [SCOPE_SPACE]);
  return collection ? rows.filter(({ key }) => key.startsWith(prefixOf(collection, pid))) : rows;
}

export function isWhole(rows: readonly Row[], scope: Scope): boolean {
  const value = rows.find(({ key }) => key === scope)?.value as ScopeMark | undefined;
  return value !== undefined && value.partial !== true;
}
