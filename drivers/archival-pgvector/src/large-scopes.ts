import type { Scope } from '@pagefault/contracts';
import type { SqlPort } from '@pagefault/driver-kit';
import { hasIndex, indexFailed, makeIndex, obstacle } from './hnsw.js';
import type { WarningListener } from './options.js';
import type { Names } from './schema.js';

export interface LargeScopesOptions {
  readonly sql: SqlPort;
  readonly dimension: number;
  /** Vectors of a scope from which the index is used; Infinity means never. */
  readonly from: number;
  readonly onWarning: WarningListener;
}

/** Which scopes the index is used for, as scans tell of their size; the first large one has the index made. */
export class LargeScopes {
  readonly #options: LargeScopesOptions;
  readonly #large = new Set<Scope>();
  #names: Names | undefined;
  #isThere = false;
  /** Made once a life: when it failed, the next `open` tries again. */
  #making: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(options: LargeScopesOptions) {
    this.#options = options;
  }

  /** Warns when there can be no index, though one is wanted (B12). */
  async open(names: Names): Promise<void> {
    const { sql, dimension, from, onWarning } = this.#options;
    if (from === Infinity) return;
    const why = await obstacle(sql, dimension);
    if (why !== undefined) return onWarning(why);
    this.#isThere = await hasIndex(sql, names);
    this.#names = names;
  }

  isIndexed(scope: Scope): boolean {
    return this.#isThere && this.#large.has(scope);
  }

  /** What a scan of the scope compared: all of it, or less with a filter. */
  note(scope: Scope, compared: number): void {
    if (compared < this.#options.from || this.#names === undefined) return;
    this.#large.add(scope);
    if (!this.#isThere) this.#make(this.#names);
  }

  /** After a removal it may be small again; the next scan tells. */
  forget(scope: Scope): void {
    this.#large.delete(scope);
  }

  #make(names: Names): void {
    if (this.#making !== undefined) return;
    const { sql, dimension, onWarning } = this.#options;
    const stop = new AbortController();
    const done = makeIndex(sql, names, dimension, stop.signal).then(
      (isThere) => {
        this.#isThere = isThere;
        // Somebody else is at it: the next large scan looks again.
        if (!isThere) this.#making = undefined;
      },
      (error: unknown) => {
        if (!stop.signal.aborted) onWarning(indexFailed(names.table, error));
      },
    );
    this.#making = { stop, done };
  }

  /** Stops the making of an index; nothing of it is left. */
  async close(): Promise<void> {
    const making = this.#making;
    this.#making = undefined;
    this.#names = undefined;
    this.#isThere = false;
    this.#large.clear();
    making?.stop.abort();
    await making?.done;
  }
}
