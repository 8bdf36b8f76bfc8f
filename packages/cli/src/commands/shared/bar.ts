const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `width` columns, filled to `share` in steps of an eighth of a column. */
export function bar(share: number, width: number): string {
  const bounded = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  const eighths = Math.round(bounded * width * 8);
  const filled = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  return filled + '░'.repeat(width - Math.ceil(eighths / 8));
}

/** Like `bar`, without the empty part: for bars that are compared with each other. */
export function plainBar(share: number, width: number): string {
  return bar(share, width).replaceAll('░', ' ');
}
