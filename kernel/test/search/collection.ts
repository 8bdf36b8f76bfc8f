import type { IndexedDocument, Posting } from '@pagefault/contracts';
import {
  candidates,
  documentTerms,
  planQuery,
  rankInContext,
  type CollectionTotals,
  type Ranked,
} from '../../src/core/search/index.js';

export interface Turn {
  readonly text: string;
  readonly session?: string;
  readonly speaker?: string;
  readonly at?: number;
}

export interface Collection {
  readonly documents: readonly IndexedDocument[];
  readonly postings: readonly Posting[];
  readonly totals: CollectionTotals;
}

/** Turns as a recall driver would hold them; without a session each stands alone. */
export function collect(turns: readonly (Turn | string)[]): Collection {
  const documents: IndexedDocument[] = [];
  const postings: Posting[] = [];
  for (const [ordinal, given] of turns.entries()) {
    const turn = typeof given === 'string' ? { text: given } : given;
    const { length, terms } = documentTerms(turn.text, turn.at);
    for (const [term, count] of terms) postings.push({ term, ordinal, count });
    const { session = `alone-${ordinal}`, speaker = '', at = 0 } = turn;
    documents.push({ ordinal, seq: ordinal + 1, ref: `m${ordinal}`, session, speaker, at, length });
  }
  const length = documents.reduce((sum, document) => sum + document.length, 0);
  return { documents, postings, totals: { documents: documents.length, length } };
}

/** The whole path of one question: plan, postings, candidates, rows, ranking. */
export function search(
  collection: Collection,
  question: string,
  speakers: readonly string[] = [],
): readonly Ranked[] {
  const { terms, named } = planQuery(question, speakers);
  const postings = collection.postings.filter(({ term }) => terms.includes(term));
  const { ordinals, rows } = candidates(postings, collection.totals);
  const documents = collection.documents.filter(({ ordinal }) => rows.includes(ordinal));
  return rankInContext({ terms, postings, documents, ordinals, totals: collection.totals, named });
}

export function ordinalsOf(ranking: readonly Ranked[]): readonly number[] {
  return ranking.map(({ ordinal }) => ordinal);
}
