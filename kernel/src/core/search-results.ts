import type { Collection, Instant, PageId, Role, Seq } from '@pagefault/contracts';

/** A question to memory: by words and meaning, or by time alone. */
export interface SearchRequest {
  readonly collection: Collection;
  /** Left out: everything in the time range, oldest first. */
  readonly query?: string;
  /** `at >= since` and `at < until`. */
  readonly since?: Instant;
  readonly until?: Instant;
  /** Result page, from 0. Default 0. */
  readonly page?: number;
  /** Results a page. Default `searchPageSize` of the limits. */
  readonly size?: number;
}

export interface SearchResults {
  readonly query?: string;
  /** All results, not only those of this page. */
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly hits: readonly SearchHit[];
}

export interface SearchHit {
  /** For `page_in`. */
  readonly handle: string;
  readonly text: string;
  readonly at: Instant;
  /** The message's or passage's id. */
  readonly id: string;
  readonly role?: Role;
  readonly speaker?: string;
  /** Where a passage is from. */
  readonly source?: string;
  readonly seq?: Seq;
  readonly page?: PageId;
}
