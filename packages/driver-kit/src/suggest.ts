/** The candidate that a mistyped word was most likely meant to be, or undefined when none is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= allowance(word, candidate))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

// One slip in every three letters; more than that is another word.
function allowance(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) rows.push(nextRow(a, b, i, rows));
  return rows[a.length]?.[b.length] ?? 0;
}

function nextRow(a: string, b: string, i: number, rows: readonly (readonly number[])[]): number[] {
  const row = [i];
  const at = (rowIndex: number, column: number) => rows[rowIndex]?.[column] ?? 0;
  for (let j = 1; j <= b.length; j += 1) {
    const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
    const best = Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, replaced);
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    row.push(isSwap ? Math.min(best, at(i - 2, j - 2) + 1) : best);
  }
  return row;
}
