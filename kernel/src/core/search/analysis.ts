import { cutBytes, fold } from './fold.js';
import { MAX_TERM_BYTES } from './limits.js';
import { stem } from './stem.js';
import { isStopWord } from './stop-words.js';

/**
 * Text to terms. The same for documents and queries, so that what was written is found as it was written.
 *
 * - Words are stemmed (Porter) when they are plain Latin; function words are apart (`extra`).
 * - Scripts without spaces, and Hangul with its particles, are cut into overlapping pairs of characters.
 * - Identifiers (`MARKER_1777`, a UUID, `100%`, a date) are terms as a whole, and so are their parts.
 *
 * Linear in the text.
 */
export interface Analysis {
  /** The terms that say something, in the order of the text, repeats included. */
  readonly content: readonly string[];
  /** Function words, and the single characters of longer runs: found when they are all that is asked for. */
  readonly extra: readonly string[];
}

// Scripts written without spaces between words, and Hangul, whose particles cling to the word.
const PAIRED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}`;
const WORD = String.raw`\p{L}\p{N}\p{M}`;

// A chunk is what a reader may take for one name: words, joined by marks without a space.
const CHUNK = new RegExp(
  String.raw`[${WORD}_]+(?:[-.:@/\\]+[${WORD}_]+)*(?:[+#%]+)?|\p{Extended_Pictographic}`,
  'gu',
);
const PIECE = new RegExp(
  String.raw`((?:(?=[\p{L}\p{N}])[${PAIRED}]\p{M}*)+)|((?:(?!(?=[\p{L}\p{N}])[${PAIRED}])[${WORD}])+)|\p{Extended_Pictographic}`,
  'gu',
);
const CONTRACTION = /(?<=[a-z])'(?:s|t|d|m|ll|re|ve)(?![a-z])/g;

export function analyse(text: string): readonly string[] {
  return analyseText(text).content;
}

export function analyseText(text: string): Analysis {
  const content: string[] = [];
  const extra: string[] = [];
  for (const [chunk] of fold(text).replace(CONTRACTION, '').matchAll(CHUNK)) {
    if (isIdentifier(chunk)) content.push(cutBytes(chunk, MAX_TERM_BYTES));
    for (const [piece, paired] of chunk.matchAll(PIECE)) {
      if (paired !== undefined) pushPairs(paired, content, extra);
      else pushWord(piece, content, extra);
    }
  }
  return { content, extra };
}

// A mark that joins nothing is prose; with a digit, an underscore or an at sign it is a name.
function isIdentifier(chunk: string): boolean {
  if (/[_@+#%]/.test(chunk)) return true;
  return /[-.:/\\]/.test(chunk) && /\p{N}/u.test(chunk);
}

function pushWord(word: string, content: string[], extra: string[]): void {
  if (isStopWord(word)) extra.push(word);
  else content.push(stem(cutBytes(word, MAX_TERM_BYTES)));
}

function pushPairs(run: string, content: string[], extra: string[]): void {
  const characters = [...run];
  if (characters.length === 1) {
    content.push(run);
    return;
  }
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] ?? '';
    extra.push(character);
    if (i > 0) content.push((characters[i - 1] ?? '') + character);
  }
}
