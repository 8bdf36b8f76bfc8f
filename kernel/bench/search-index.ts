import type { IndexedDocument, Posting } from '@pagefault/contracts';
import {
  candidates,
  documentTerms,
  planQuery,
  rankInContext,
  type Ranked,
} from '../src/core/search/index.js';
import type { SearchSet, Turn } from './search-sets.js';

/** A collection in plain memory, asked the way the kernel asks a recall driver. */
export interface Index {
  readonly turns: readonly Turn[];
  search(question: string): readonly Ranked[];
  readonly postings: number;
  readonly documents: readonly IndexedDocument[];
}

export function indexSet(set: SearchSet): Index {
  const documents: IndexedDocument[] = [];
  const postings = new Map<string, Posting[]>();
  let length = 0;
  for (const [ordinal, turn] of set.turns.entries()) {
    const terms = documentTerms(turn.text, turn.at);
    documents.push(row(ordinal, turn, terms.length));
    length += terms.length;
    for (const [term, count] of terms.terms) {
      const list = postings.get(term) ?? [];
      list.push({ term, ordinal, count });
      postings.set(term, list);
    }
  }
  const totals = { documents: documents.length, length };
  return {
    turns: set.turns,
    documents,
    postings: [...postings.values()].reduce((sum, list) => sum + list.length, 0),
    search(question) {
      const plan = planQuery(question, set.speakers);
      const found = plan.terms.flatMap((term) => postings.get(term) ?? []);
      const { ordinals, rows } = candidates(found, totals);
      const at = rows.flatMap((ordinal) => documents[ordinal] ?? []);
      return rankInContext({
        terms: plan.terms,
        postings: found,
        documents: at,
        ordinals,
        totals,
        named: plan.named,
      });
    },
  };
}

function row(ordinal: number, turn: Turn, length: number): IndexedDocument {
  const { id: ref, session, speaker, at = 0 } = turn;
  return { ordinal, seq: ordinal + 1, ref, session, speaker, at, length };
}
