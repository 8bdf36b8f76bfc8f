/**
 * The wider context of a turn: what is talked about around it. A term that was said somewhere near tells one talk from
 * another, even where the turn and its neighbours do not repeat it.
 */
import type { IndexedDocument } from '@pagefault/contracts';
import { WIDE_REACH } from './limits.js';

/** Counts of one term by ordinal. */
export type TermCounts = ReadonlyMap<number, number>;

/**
 * How often a term is said within reach of each of the `ordinals` (ascending), in its session, by others. Only documents at hand
 * count: of which session another is, is not known. Ascending input, one pass.
 */
export function* countsAround(
  counts: TermCounts,
  ordinals: readonly number[],
  documents: ReadonlyMap<number, IndexedDocument>,
): Generator<readonly [ordinal: number, count: number]> {
  const holders = [...counts].filter(([ordinal]) => documents.has(ordinal)).sort(([a], [b]) => a - b);
  const bySession = new Map<string, number>();
  const add = ([ordinal, count]: readonly [number, number], sign: number) => {
    const session = documents.get(ordinal)?.session ?? '';
    bySession.set(session, (bySession.get(session) ?? 0) + sign * count);
  };
  let [entered, left] = [0, 0];
  for (const ordinal of ordinals) {
    for (let next = holders[entered]; next && next[0] <= ordinal + WIDE_REACH; next = holders[++entered])
      add(next, 1);
    for (let past = holders[left]; past && past[0] < ordinal - WIDE_REACH; past = holders[++left])
      add(past, -1);
    const session = documents.get(ordinal)?.session ?? '';
    const count = (bySession.get(session) ?? 0) - (counts.get(ordinal) ?? 0);
    if (count > 0) yield [ordinal, count];
  }
}

/**
 * How many places of a collection are within reach of one of these, ascending: by it a term is rare in what is talked
 * about.
 */
export function placesAround(holders: readonly number[], documents: number): number {
  let [places, covered] = [0, -1];
  for (const ordinal of holders) {
    const from = Math.max(covered + 1, ordinal - WIDE_REACH);
    covered = Math.max(covered, Math.min(documents - 1, ordinal + WIDE_REACH));
    places += Math.max(0, covered - from + 1);
  }
  return places;
}
