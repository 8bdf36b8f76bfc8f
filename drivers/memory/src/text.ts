import type { Collection, IndexedDocument, Lineage, Posting, Seq } from '@pagefault/contracts';
import { LATEST } from '@pagefault/contracts';
import type { Store, TextIndex } from './store.js';

type Terms = readonly (readonly [term: string, count: number])[];

export function addDocument(text: TextIndex, document: IndexedDocument, terms: Terms): void {
  text.documents.set(document.ordinal, document);
  for (const [term, count] of terms) {
    const list = text.postings.get(term);
    const posting = Object.freeze<Posting>({ term, ordinal: document.ordinal, count });
    if (list) insertByOrdinal(list, posting);
    else text.postings.set(term, [posting]);
  }
}

// Ordinals nearly always arrive in order, then this is a push.
function insertByOrdinal(list: Posting[], posting: Posting): void {
  let place = list.length;
  while (place > 0 && (list[place - 1]?.ordinal ?? 0) > posting.ordinal) place -= 1;
  list.splice(place, 0, posting);
}

export function removeDocuments(
  text: TextIndex | undefined,
  isErased: (document: IndexedDocument) => boolean,
): void {
  if (!text) return;
  const gone = new Set([...text.documents.values()].filter(isErased).map(({ ordinal }) => ordinal));
  if (gone.size === 0) return;
  for (const ordinal of gone) text.documents.delete(ordinal);
  for (const [term, list] of text.postings) {
    const left = list.filter(({ ordinal }) => !gone.has(ordinal));
    if (left.length > 0) text.postings.set(term, left);
    else text.postings.delete(term);
  }
}

export function findPostings(
  store: Store,
  lineage: Lineage,
  collection: Collection,
  terms: readonly string[],
): readonly Posting[] {
  const texts = textsOf(store, lineage, collection);
  return terms.flatMap((term) => {
    const lists = texts.map((part) => postingsWithin(part, term));
    if (lists.length === 1) return lists[0] ?? [];
    return lists.flat().sort((a, b) => a.ordinal - b.ordinal);
  });
}

function postingsWithin(part: PartOfText, term: string): readonly Posting[] {
  const { text, upTo } = part;
  const list = text.postings.get(term) ?? [];
  return upTo === LATEST ? list : list.filter(({ ordinal }) => isWithin(text.documents.get(ordinal), part));
}

export function findDocuments(
  store: Store,
  lineage: Lineage,
  collection: Collection,
  ordinals: readonly number[],
): readonly IndexedDocument[] {
  const texts = textsOf(store, lineage, collection);
  const asked = [...new Set(ordinals)].sort((a, b) => a - b);
  return asked.flatMap((ordinal) =>
    texts.flatMap((part) => {
      const document = part.text.documents.get(ordinal);
      return document && isWithin(document, part) ? [document] : [];
    }),
  );
}

interface PartOfText {
  readonly text: TextIndex;
  readonly upTo: Seq;
  /** Ordinals from here on came after the cut. */
  readonly end: number;
}

function textsOf(store: Store, lineage: Lineage, collection: Collection): PartOfText[] {
  return lineage.flatMap(({ pid, upTo, documents }) => {
    const text = store.processes.get(pid)?.texts.get(collection);
    return text ? [{ text, upTo, end: documents?.[collection] ?? Infinity }] : [];
  });
}

function isWithin(document: IndexedDocument | undefined, { upTo, end }: PartOfText): boolean {
  return document !== undefined && document.seq <= upTo && document.ordinal < end;
}
