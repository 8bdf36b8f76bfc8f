import { displayWidth, fitWidth } from './width.js';

export interface Column {
  readonly title: string;
  /** Numbers stand to the right. Default left. */
  readonly align?: 'left' | 'right';
  /** Columns of the terminal; longer cells are cut. Default: as wide as the widest cell. */
  readonly maxWidth?: number;
}

/**
 * Rows under their titles, each column as wide as its widest cell, two spaces between. Every cell is on one line.
 * A row may have fewer cells than there are columns. No white space at the ends of lines.
 */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = [columns.map(({ title }) => title), ...rows].map((row) =>
    columns.map(({ maxWidth = Number.POSITIVE_INFINITY }, index) => fitWidth(row[index] ?? '', maxWidth)),
  );
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => displayWidth(row[index] ?? ''))));
  return cells.map((row) => formatRow(columns, row, widths)).join('\n');
}

function formatRow(columns: readonly Column[], row: readonly string[], widths: readonly number[]): string {
  const padded = row.map((cell, index) => {
    const space = ' '.repeat((widths[index] ?? 0) - displayWidth(cell));
    return columns[index]?.align === 'right' ? space + cell : cell + space;
  });
  return padded.join('  ').trimEnd();
}
