import { levelled } from './level.js';
import { NEAREST, VECTOR_SPEAKER_BOOST, VECTOR_WEIGHT } from './limits.js';
import { compareRanked, type Ranked } from './ranked.js';

export interface FusionOptions {
  /** Of the vector arm, beside the text arm's 1. Default `VECTOR_WEIGHT`. */
  readonly weight?: number;
  readonly preferred?: ReadonlySet<number>;
  /** How many of the nearest vectors were asked for. Default `NEAREST`. */
  readonly nearest?: number;
}

const NOBODY: ReadonlySet<number> = new Set();

/**
 * One ranking from two arms, by their scores normalised for the query (z-scores), so that an arm that tells its
 * candidates apart counts and one that does not is silent. Ranks alone (k = 60) let a weak arm hurt a strong one.
 *
 * - The text arm knows all that has a term in common: what it does not name has 0, and that is part of its
 *   distribution. So the only exact hit stands out among many near ones.
 * - The vector arm knows only the nearest: what it does not name counts like the farthest of these, and its
 *   distribution is theirs alone. So it matters little how many it was asked for.
 *
 * Of the nearest vectors, those in `preferred` (whose speaker the question names) count more. Ties by ordinal.
 *
 * The same on every store: similarities count as the same where stores do not agree about them, and when there are more
 * vectors than were asked for, the last ones, which another store may have cut elsewhere, are not found by them.
 */
export function fuse(
  text: readonly Ranked[],
  vector: readonly Ranked[],
  { weight = VECTOR_WEIGHT, preferred = NOBODY, nearest = NEAREST }: FusionOptions = {},
): readonly Ranked[] {
  const textScores = scoresOf(text);
  const all = zScores(levelled(scoresOf(vector)));
  const far = all.size === 0 ? 0 : Math.min(...all.values());
  const near = all.size < nearest ? all : withoutLast(all, far);
  const ordinals = [...new Set([...textScores.keys(), ...near.keys()])].sort((a, b) => a - b);
  const fit = zScores(textScores.size === 0 ? textScores : withZeros(textScores, ordinals));
  const nearness = (ordinal: number): number => {
    const score = near.get(ordinal);
    return score === undefined ? far : score + (preferred.has(ordinal) ? VECTOR_SPEAKER_BOOST : 0);
  };
  return ordinals
    .map((ordinal) => ({ ordinal, score: (fit.get(ordinal) ?? 0) + weight * nearness(ordinal) }))
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

/** All, when they are all the same. */
function withoutLast(scores: ReadonlyMap<number, number>, last: number): ReadonlyMap<number, number> {
  const rest = [...scores].filter(([, score]) => score > last);
  return rest.length === 0 ? scores : new Map(rest);
}

function withZeros(
  scores: ReadonlyMap<number, number>,
  ordinals: readonly number[],
): ReadonlyMap<number, number> {
  return new Map(ordinals.map((ordinal) => [ordinal, scores.get(ordinal) ?? 0]));
}

/** All 0 when the scores are the same. */
function zScores(scores: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  // By ordinal, so that sums do not depend on the order of the input.
  const entries = [...scores].sort(([a], [b]) => a - b);
  const mean = sum(entries.map(([, score]) => score)) / entries.length;
  const deviation = Math.sqrt(sum(entries.map(([, score]) => (score - mean) ** 2)) / entries.length);
  // Rounding leaves a little deviation where all scores are the same.
  const flat = deviation <= Number.EPSILON * Math.abs(mean) * 8;
  return new Map(entries.map(([ordinal, score]) => [ordinal, flat ? 0 : (score - mean) / deviation]));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
