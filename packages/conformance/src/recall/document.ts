import type { IndexedDocument, SearchDocument } from '@pagefault/contracts';
import { NOON } from './instance.js';

type Terms = SearchDocument['terms'];

/** A document about alpacas, with what `documents` should answer for it. */
export function document(
  ordinal: number,
  seq: number,
  terms: Terms = [['alpaca', 1]],
  fields: Partial<SearchDocument> = {},
): SearchDocument & { readonly indexed: IndexedDocument } {
  const { collection = 'messages', ...rest } = fields;
  const indexed = {
    ordinal,
    seq,
    ref: `m${seq}`,
    session: 's1',
    speaker: 'Ada',
    at: NOON,
    length: terms.reduce((sum, [, count]) => sum + count, 0),
    ...rest,
  };
  // Not enumerable, so that a driver which keeps whole objects is not given it to keep.
  return Object.defineProperty({ ...indexed, collection, terms, indexed }, 'indexed', { enumerable: false });
}
