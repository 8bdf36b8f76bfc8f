import type { Collection, Instant, PageId, Role, Seq } from '@pagefault/contracts';

/** A question to memory: by words and meaning, or by time alone. */
export interface SearchRequest {
  readonly collection: Collection;
  /** Left out: everything in the time range, oldest first. */
  readonly query?: string;
  /** `at >= since` and `at < until`. */
  readonly since?: Instant;
  readonly until?: Instant;
  /** Days of the user's calendar, `YYYY-MM-DD`, both included; or ISO 8601 times. Within `since` and `until`, when these are given too. */
  readonly days?: { readonly from: string; readonly to: string };
  /** IANA name of the time zone that days are of. Default: the process's. */
  readonly zone?: string;
  /** Result page, from 0. Default 0. */
  readonly page?: number;
  /** Instead of a page: goes on where the results ended that it came with, without a gap or a repeat. */
  readonly cursor?: string;
  /** Results a page, 1 to 1,000. Default `searchPageSize` of the limits. */
  readonly size?: number;
}

export interface SearchResults {
  readonly query?: string;
  /** All results, not only those of this page. What says the same is one result. */
  readonly total: number;
  /**
   * False when no word of the query is in any result: then they are near to it in meaning, at best. Always true without a
   * query.
   */
  readonly wordMatch: boolean;
  /** Too many have a word of the query: so many of the weakest were not ranked, and are not among the results. */
  readonly unranked?: number;
  /** IANA name of the time zone that days were of: the process's, unless another was asked for. */
  readonly zone: string;
  readonly page: number;
  readonly pages: number;
  /** For the next page; none after the last. */
  readonly cursor?: string;
  readonly hits: readonly SearchHit[];
}

export interface SearchHit {
  /** For `page_in`. */
  readonly handle: string;
  readonly text: string;
  readonly at: Instant;
  /** The message's or passage's id. */
  readonly id: string;
  /** How many say the same, when there are more than this one; it is the newest of them. */
  readonly times?: number;
  readonly role?: Role;
  readonly speaker?: string;
  /** Where a passage is from. */
  readonly source?: string;
  readonly seq?: Seq;
  readonly page?: PageId;
}
