import { VECTOR_WEIGHT } from './limits.js';
import { compareRanked, type Ranked } from './ranked.js';

/**
 * One ranking from two arms, by their scores normalised over the query's candidates (z-scores), so that
 * an arm that tells its candidates apart counts and one that does not is silent. Ranks alone (k = 60) let
 * a weak arm hurt a strong one.
 *
 * A candidate that one arm does not know gets that arm's floor: 0 for text, which knows all that has a
 * term in common, and the lowest score for vectors, which know only the nearest. Ties by ordinal.
 */
export function fuse(
  text: readonly Ranked[],
  vector: readonly Ranked[],
  weight: number = VECTOR_WEIGHT,
): readonly Ranked[] {
  const textScores = scoresOf(text);
  const vectorScores = scoresOf(vector);
  const ordinals = [...new Set([...textScores.keys(), ...vectorScores.keys()])].sort((a, b) => a - b);
  const textZ = zScores(ordinals, textScores, 0);
  const vectorZ = zScores(ordinals, vectorScores, lowest(vectorScores));
  return ordinals
    .map((ordinal, i) => ({ ordinal, score: (textZ[i] ?? 0) + weight * (vectorZ[i] ?? 0) }))
    .sort(compareRanked);
}

// A score that is no number says nothing; of two for one document the better holds.
function scoresOf(arm: readonly Ranked[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const { ordinal, score } of arm) {
    if (Number.isFinite(score)) scores.set(ordinal, Math.max(score, scores.get(ordinal) ?? score));
  }
  return scores;
}

function lowest(scores: ReadonlyMap<number, number>): number {
  let low = Infinity;
  for (const score of scores.values()) low = Math.min(low, score);
  return low;
}

function zScores(
  ordinals: readonly number[],
  scores: ReadonlyMap<number, number>,
  floor: number,
): readonly number[] {
  if (scores.size === 0) return [];
  const values = ordinals.map((ordinal) => scores.get(ordinal) ?? floor);
  const mean = sum(values) / values.length;
  const deviation = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
  // Rounding leaves a little deviation where all scores are the same.
  if (deviation <= Number.EPSILON * Math.abs(mean) * 8) return [];
  return values.map((value) => (value - mean) / deviation);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
