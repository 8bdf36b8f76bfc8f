/** A line of a table: the first cell to the left, the others to the right. */
export function row(...cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(10) : cell.padStart(16))).join('');
}
