import { SAME_SIMILARITY } from './limits.js';

/**
 * One score for all that no store tells apart for certain: the vectors of equal texts tie in one store and differ in the
 * last bits in another, and the order of results must not hang on that. A group ends where the next score is more than
 * `SAME_SIMILARITY` away, and has the score of its best. So noise moves a score by no more than itself, where
 * rounding to a grid would push what lies at an edge by a whole step.
 */
export function levelled(scores: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const level = new Map<number, number>();
  let [last, best] = [Infinity, Infinity];
  for (const [ordinal, score] of [...scores].sort(([, a], [, b]) => b - a)) {
    if (last - score > SAME_SIMILARITY) best = score;
    level.set(ordinal, best);
    last = score;
  }
  return level;
}
