/** A document and how well it fits. Scores of different queries or arms cannot be compared. */
export interface Ranked {
  readonly ordinal: number;
  readonly score: number;
}

/** Best first; equals by ordinal, the older first. */
export function compareRanked(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.ordinal - b.ordinal;
}
