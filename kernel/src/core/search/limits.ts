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

/** How far the wider context of a turn reaches, in turns of its session to each side: about a talk of LoCoMo. */
export const WIDE_REACH = 20;

/**
 * What the terms of the wider context count, as a score of its own beside the turn's. LoCoMo: .801 to .807 by text
 * alone, flat from .35 to .5 and from 12 turns to the whole session; BEAM .429 to .427.
 */
export const WIDE_WEIGHT = 0.5;

/** What the score of a turn is multiplied by when the question names its speaker. LoCoMo: .750 to .788; flat from 1.7 to 2.5. */
export const SPEAKER_BOOST = 2;

/**
 * Weight of the vector arm beside the text arm's 1, both as z-scores of one query, for the bundled encoder;
 * about 1 is better for a MiniLM-class one. LoCoMo: flat from .3 to .6.
 */
export const VECTOR_WEIGHT = 0.4;

/**
 * What a vector counts more whose speaker the question names, in standard deviations of the nearest: the same preference
 * as the text arm's. LoCoMo: .819 to .828.
 */
export const VECTOR_SPEAKER_BOOST = 1.5;

/**
 * What the vector of the turn before counts in a turn's own, its own 1. The similarity to a question is linear, so it is
 * a weighted sum of both similarities at no cost for the query. LoCoMo, vectors alone: .398 to .487; flat from .5 to 1.
 */
export const VECTOR_BEFORE = 0.5;

/** How many of the nearest vectors a query takes: z-scores need that many to mean something. LoCoMo: flat from 200 to 300. */
export const NEAREST = 200;

/**
 * Similarities that are no farther apart count as the same. Stores add up in single precision, so they agree to some
 * 1e-7, and an encoder to about 1e-6 whatever else is in its batch; two neighbours among the nearest are some 5e-4 apart.
 */
export const SAME_SIMILARITY = 1e-5;

/** Bytes of UTF-8 that a term may have: the contract of recall storage. Longer ones are cut. */
export const MAX_TERM_BYTES = 128;

/**
 * Documents of one query that are scored exactly; their neighbours' rows are fetched beside them.
 * 2,000 keeps a query over 100,000 messages to at most 10,000 rows.
 */
export const MAX_CANDIDATES = 2000;

/** The highest ordinal that a query works with: 160 MB of working memory, a hundred times the planned 100,000 messages. */
export const MAX_ORDINAL = 10_000_000;
