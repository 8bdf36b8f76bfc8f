import type { Instant, PageId, Put, RowKey, Seq } from '@pagefault/contracts';
import type { Billed } from './bills.js';
import type { Summary } from './state.js';

export interface Erased extends Billed {
  readonly type: 'erased';
  readonly at: Instant;
  /** Positions in the lineage: the process's own, and its ancestors'. */
  readonly seqs: readonly Seq[];
  /** The pages that lost them, resident or not. */
  readonly pages: readonly PageId[];
  /** Made again from what is left. Null: nothing is. Undefined: it stands for none of them. */
  readonly summary?: Summary | null;
  /** None of whose messages is left. */
  readonly speakers: readonly string[];
  readonly versions: readonly ErasedVersion[];
  /** Rows of other spaces, in the same commit. */
  readonly puts: readonly Put[];
  readonly deletes: readonly RowKey[];
}

/** An earlier value of a block, by the key of its history. */
export interface ErasedVersion {
  readonly key: string;
  readonly version: number;
}
