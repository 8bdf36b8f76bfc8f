import type { IndexedDocument, Posting } from '@pagefault/contracts';
import { contextOf, shareOf, type Weighted } from './context.js';
import { type Holders, holdersOf } from './holders.js';
import { BM25_B, BM25_K1, SPEAKER_BOOST, WIDE_WEIGHT } from './limits.js';
import { compareRanked, type Ranked } from './ranked.js';
import { countsAround, placesAround, type TermCounts } from './surroundings.js';

/** Of the whole collection in the lineage, not of the documents at hand. */
export interface CollectionTotals {
  readonly documents: number;
  /** Sum of the documents' lengths, in terms. */
  readonly length: number;
}

export interface RankInput {
  /** Query terms; repeats count once. */
  readonly terms: readonly string[];
  /** All postings of these terms in the collection: how many there are decides what a term is worth. */
  readonly postings: readonly Posting[];
  /** The documents to score and their neighbours. One whose row is missing is neither scored nor a neighbour. */
  readonly documents: readonly IndexedDocument[];
  readonly totals: CollectionTotals;
  /**
   * Which of the documents to score: the candidates, when there were too many. Default: all of them.
   * The others are neighbours only; theirs may be missing, so that their scores would be wrong.
   */
  readonly ordinals?: readonly number[];
  /** Speakers whose turns are preferred. */
  readonly named?: readonly string[];
}

/**
 * BM25 over turns in the context of their neighbours. The count of a term is the weighted sum over the
 * turn and its neighbours, and so is the length, divided by the sum of the weights; how rare a term
 * is goes by the turns that hold it themselves. What others say in the wider context counts beside it, whatever its
 * length. So a document without neighbours gets plain BM25.
 * Best first, ties by ordinal; what has no term in its context is left out.
 */
export function rankInContext(input: RankInput): readonly Ranked[] {
  const documents = new Map(input.documents.map((document) => [document.ordinal, document]));
  const terms = holdersOf(input.postings, input.terms).map((holders) =>
    statistics(holders, documents, input),
  );
  const average = averageLength(input.totals);
  const named = new Set(input.named);
  const wide = wideScores(terms, documents, input);
  const ranked: Ranked[] = [];
  for (const document of asked(documents, input.ordinals)) {
    const context = contextOf(document, documents);
    const length = relativeLength(context, documents, average);
    let score = 0;
    for (const term of terms) score += termScore(term, context, length);
    if (score > 0) score += shareOf(document) * (wide.get(document.ordinal) ?? 0);
    if (named.has(document.speaker)) score *= SPEAKER_BOOST;
    if (score > 0) ranked.push({ ordinal: document.ordinal, score });
  }
  return ranked.sort(compareRanked);
}

/** One term of the query. */
interface Term {
  /** In the documents at hand. */
  readonly counts: TermCounts;
  /** How rare it is among the turns, and in what is talked about. */
  readonly frequency: number;
  readonly wideFrequency: number;
}

function statistics(
  holders: Holders,
  documents: ReadonlyMap<number, IndexedDocument>,
  { totals }: RankInput,
): Term {
  const counts = new Map<number, number>();
  for (const [i, ordinal] of holders.ordinals.entries())
    if (documents.has(ordinal)) counts.set(ordinal, holders.counts[i] ?? 0);
  return {
    counts,
    frequency: inverseFrequency(holders.ordinals.length, totals.documents),
    wideFrequency: wideFrequency(holders, totals.documents),
  };
}

/** What the wider context of each document is worth. */
function wideScores(
  terms: readonly Term[],
  documents: ReadonlyMap<number, IndexedDocument>,
  { ordinals }: RankInput,
): ReadonlyMap<number, number> {
  const ascending = asked(documents, ordinals)
    .map(({ ordinal }) => ordinal)
    .sort((a, b) => a - b);
  const scores = new Map<number, number>();
  for (const { counts, wideFrequency: worth } of terms) {
    for (const [ordinal, count] of countsAround(counts, ascending, documents)) {
      scores.set(ordinal, (scores.get(ordinal) ?? 0) + wideWeight(count, worth));
    }
  }
  return scores;
}

/** How rare a term is in what is talked about. */
export function wideFrequency({ ordinals }: Holders, documents: number): number {
  return inverseFrequency(placesAround(ordinals, Math.max(documents, ordinals.length)), documents);
}

/** What a term in the wider context is worth, whatever the length of that. */
export function wideWeight(count: number, frequency: number): number {
  return WIDE_WEIGHT * termWeight(count, 1, frequency);
}

function asked(
  documents: ReadonlyMap<number, IndexedDocument>,
  ordinals: readonly number[] | undefined,
): readonly IndexedDocument[] {
  if (ordinals === undefined) return [...documents.values()];
  return [...new Set(ordinals)].flatMap((ordinal) => documents.get(ordinal) ?? []);
}

/** What one term is worth in one document: never negative. */
export function termWeight(count: number, length: number, idf: number): number {
  return (idf * count * (BM25_K1 + 1)) / (count + BM25_K1 * (1 - BM25_B + BM25_B * length));
}

/** Robertson and Spärck Jones, with Lucene's +1, so that a term in every document is still worth something. */
export function inverseFrequency(holders: number, documents: number): number {
  // Totals may lag behind the postings; a term is never in more documents than there are.
  const all = Math.max(documents, holders);
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5));
}

function termScore({ counts, frequency }: Term, context: readonly Weighted[], length: number): number {
  let count = 0;
  for (const { ordinal, weight } of context) count += weight * (counts.get(ordinal) ?? 0);
  return count === 0 ? 0 : termWeight(count, length, frequency);
}

function averageLength(totals: CollectionTotals): number {
  return totals.documents > 0 && totals.length > 0 ? totals.length / totals.documents : 1;
}

function relativeLength(
  context: readonly Weighted[],
  documents: ReadonlyMap<number, IndexedDocument>,
  average: number,
): number {
  let length = 0;
  let mass = 0;
  for (const { ordinal, weight } of context) {
    length += weight * (documents.get(ordinal)?.length ?? 0);
    mass += weight;
  }
  return length / (mass * average);
}
