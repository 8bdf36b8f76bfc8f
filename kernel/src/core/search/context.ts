import type { IndexedDocument } from '@pagefault/contracts';
import { SPARSE_TERMS, WEIGHTS_AFTER, WEIGHTS_BEFORE } from './limits.js';

/** A turn that counts for another, and how much. */
export interface Weighted {
  readonly ordinal: number;
  readonly weight: number;
}

/** Where the neighbours of a turn are, and what they count at most. The turn itself is not among them. */
export const NEIGHBOURS: readonly { readonly offset: number; readonly weight: number }[] = [
  ...WEIGHTS_BEFORE.map((weight, i) => ({ offset: -1 - i, weight })).toReversed(),
  ...WEIGHTS_AFTER.map((weight, i) => ({ offset: 1 + i, weight })),
];

/** How much a turn takes of its context: a long one speaks for itself. */
export function shareOf({ length }: Pick<IndexedDocument, 'length'>): number {
  return Math.min(1, SPARSE_TERMS / Math.max(1, length));
}

/** The turn with its neighbours of the same session, always in the same order, so that sums are reproducible. */
export function contextOf(
  document: IndexedDocument,
  documents: ReadonlyMap<number, IndexedDocument>,
): readonly Weighted[] {
  const share = shareOf(document);
  const near = NEIGHBOURS.map(({ offset, weight }) => ({
    ordinal: document.ordinal + offset,
    weight: weight * share,
  }));
  const same = near.filter(({ ordinal }) => documents.get(ordinal)?.session === document.session);
  return [{ ordinal: document.ordinal, weight: 1 }, ...same];
}

/** The ordinals whose rows are needed to score these ones, ascending and without repeats. */
export function withNeighbours(ordinals: readonly number[]): readonly number[] {
  const all = new Set(ordinals);
  for (const ordinal of ordinals) {
    for (const { offset } of NEIGHBOURS) if (ordinal + offset >= 0) all.add(ordinal + offset);
  }
  return [...all].toSorted((a, b) => a - b);
}
