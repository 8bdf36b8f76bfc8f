/** Every number of text search, with its source. The kernel's `limits.ts` re-exports this screen. */

/** BM25: how soon another occurrence of a term stops counting. Robertson and Zaragoza's usual 1.2. */
export const BM25_K1 = 1.2;

/** BM25: how much the length of a document counts, 0 to 1. The usual 0.75. */
export const BM25_B = 0.75;

/**
 * What the terms of the turns before count for a turn, the nearest first, within its session; its own count 1.
 * A turn means more by what it answers than by what answers it. LoCoMo development part, evidence recall@10:
 * .676 alone, .793 with .5 and .3 on both sides, .800 so.
 */
export const WEIGHTS_BEFORE: readonly number[] = [0.6, 0.4];

/** The same for the turns after. */
export const WEIGHTS_AFTER: readonly number[] = [0.4, 0.2];

/**
 * Terms up to which a turn takes the full weight of its neighbours; a longer one takes less in proportion,
 * for it speaks for itself. LoCoMo's turns (about 16 terms) do not notice; on BEAM's messages (about 200)
 * recall@10 is .427 with it, .35 without, .419 with no neighbours at all.
 */
export const SPARSE_TERMS = 40;

/** What the score of a turn is multiplied by when the question names its speaker. LoCoMo: .750 to .788; flat from 1.7 to 2.5. */
export const SPEAKER_BOOST = 2;

/**
 * Weight of the vector arm beside the text arm's 1, both as z-scores of one query, for the bundled encoder;
 * about 1 is better for a MiniLM-class one. LoCoMo, evidence recall@10, with turns embedded as `speaker: text`:
 * text alone .801; at .3 to .45, with the 20 to 200 nearest or all, .805 to .814; at .6, .800 to .811.
 */
export const VECTOR_WEIGHT = 0.4;

/** Bytes of UTF-8 that a term may have: the contract of recall storage. Longer ones are cut. */
export const MAX_TERM_BYTES = 128;

/**
 * Documents of one query that are scored exactly; their neighbours' rows are fetched beside them.
 * 2,000 keeps a query over 100,000 messages to at most 10,000 rows.
 */
export const MAX_CANDIDATES = 2000;

/** The highest ordinal that a query works with: 160 MB of working memory, a hundred times the planned 100,000 messages. */
export const MAX_ORDINAL = 10_000_000;
