import { evenlySpaced } from '@pagefault/driver-kit';
import { MAX_TOKENS } from '../model/facts.js';
import { tokenize } from './tokenizer.js';
import type { PieceNode } from './vocabulary.js';

/**
 * Windows that one text may cost: 8,192 tokens, under a second on one core. Of a longer text as many windows
 * are taken, evenly spaced, so that all its parts still count. A vector that stands for more is of no use:
 * callers cut documents into passages.
 */
export const MAX_WINDOWS = 64;

/** Characters of a stretch when a text is too long to be tokenised whole: at least a window in most languages. */
const STRETCH = 1024;

/**
 * A text's token ids in windows of at most 128, as equal in size as can be: a short last window would weigh
 * as much as a full one in the mean. Empty for white space only.
 */
export function windowsOf(vocabulary: PieceNode, text: string): Int32Array[] {
  const ids = tokenize(vocabulary, shorten(text));
  const count = Math.ceil(ids.length / MAX_TOKENS);
  const windows = Array.from({ length: count }, (_, i) =>
    Int32Array.from(ids.slice(share(ids.length, i, count), share(ids.length, i + 1, count))),
  );
  return evenlySpaced(windows, MAX_WINDOWS);
}

// White space goes first, so that no stretch is empty.
function shorten(text: string): string {
  if (text.length <= MAX_WINDOWS * STRETCH) return text;
  const dense = text.replace(/\s+/gu, ' ').trim();
  const starts = Array.from({ length: Math.ceil(dense.length / STRETCH) }, (_, i) => i * STRETCH);
  return evenlySpaced(starts, MAX_WINDOWS)
    .map((start) => dense.slice(start, start + STRETCH))
    .join(' ');
}

function share(total: number, part: number, parts: number): number {
  return Math.floor((total * part) / parts);
}
