import { printableInColour } from './printable.js';

// Two columns: East Asian wide and full-width characters, and emoji (Unicode UAX #11, widths W and F, by block).
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
// No column of its own: a colour sequence, or a cluster of marks and controls.
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const NOTHING = /^[\p{M}\p{Cc}\p{Cf}]*$/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns that a terminal needs for a text of one line. */
export function displayWidth(text: string): number {
  const plain = text.replace(COLOUR, '');
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes.segment(plain)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(cluster: string): 0 | 1 | 2 {
  if (NOTHING.test(cluster)) return 0;
  return WIDE.test(cluster) ? 2 : 1;
}

/**
 * The text on one line, at most `width` columns, without commands to the terminal; `…` stands for what was cut. Colours stay,
 * unless it is cut.
 */
export function fitWidth(text: string, width: number): string {
  const line = printableInColour(text.replace(/\s+/g, ' '));
  if (displayWidth(line) <= width) return line;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(line.replace(COLOUR, ''))) {
    used += graphemeWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}
