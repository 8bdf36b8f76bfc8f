import type { DriverHead, Slice } from './driver.js';
import type { Instant } from './ids.js';

/**
 * Archival storage: an index of vectors over rows of truth that live in recall. Hits are re-read from
 * recall, so a stale or missing vector can cost a rank but never the truth.
 */
export interface ArchivalDriver extends DriverHead<'archival', ArchivalManifest> {
  /**
   * Inserts or replaces by id. Of two entries with one id in a batch the last one wins.
   * Errors: `E_DIMENSION`; `E_INVALID` for a vector that is all zeros or holds NaN or infinity (then nothing
   * of the batch is written); `E_STORAGE`.
   */
  upsert(scope: Scope, entries: readonly VectorEntry[], signal?: AbortSignal): Promise<void>;

  /** The nearest entries of one scope, best first; equal scores by id. Returns `limit` hits when they exist. */
  query(query: VectorQuery, signal?: AbortSignal): Promise<readonly VectorHit[]>;

  /** Forgets entries by id, or the whole scope when `ids` is `'all'`. Unknown ids are passed over. */
  remove(scope: Scope, ids: readonly string[] | 'all', signal?: AbortSignal): Promise<void>;

  count(scope: Scope, signal?: AbortSignal): Promise<number>;

  /**
   * Ids of one scope, each once, in an order of the driver's own. Writers may go on meanwhile: what is there from the
   * first slice to the last is in one of them.
   */
  list(scope: Scope, query: ListQuery, signal?: AbortSignal): Promise<Slice<string>>;

  /**
   * In place of `open`, for an index that `open` refuses with `E_DIMENSION`: opens a new one of the driver's dimension beside
   * it, empty, or as far as a rebuild that was stopped had got. Others that are open go on with the old one until
   * `finishRebuild`; who opens the old one by `open` gives the rebuild up, and what was begun is removed.
   * Resolves to the old one's dimension; to undefined when there is nothing to rebuild: then it did what `open` does.
   * Left out where no index can be there before. Errors: those of `open`.
   */
  rebuild?(signal?: AbortSignal): Promise<number | undefined>;

  /**
   * Puts what `rebuild` opened in the place of the old index, which is removed; the driver stays open. Stopped at any point,
   * the one or the other is whole. Does nothing without a rebuild, and when another who was at it was first.
   * Errors: `E_CONFLICT` when it was given up meanwhile; `E_STORAGE`.
   */
  finishRebuild?(signal?: AbortSignal): Promise<void>;
}

export interface ArchivalManifest {
  /** The length of every vector, checked against the real column or collection at `open`. */
  readonly dimension: number;
  /** True when `query` scans everything and so never misses; then recall@k is 1. */
  readonly exact: boolean;
}

/**
 * A tenant's part of the index, for example `recall/<pid>/<fingerprint>`. A required argument; an empty one is
 * `E_INVALID` in every operation, never "all of them".
 */
export type Scope = string;

export interface VectorEntry {
  /** Ours: at most 128 bytes of UTF-8. */
  readonly id: string;
  readonly vector: Float32Array;
  /** When the text was said; filters look at it. */
  readonly at: Instant;
}

export interface ListQuery {
  /** The cursor of the slice before. */
  readonly after?: string;
  /** 1 to 10,000. */
  readonly limit: number;
}

export interface VectorQuery {
  readonly scope: Scope;
  readonly vector: Float32Array;
  /** 1 to 1,000. */
  readonly limit: number;
  /** `at >= since` and `at < until`. */
  readonly since?: Instant;
  readonly until?: Instant;
}

export interface VectorHit {
  readonly id: string;
  /** (1 + cosine) / 2: in [0, 1], higher is nearer, the same in every driver. */
  readonly score: number;
}
