/**
 * Where words, characters and identifiers are in a folded text. Every repetition is bounded: an unbounded one
 * overflows the stack of the regular expression engine on a run of some million characters.
 */

import { fold } from './fold.js';

/** A piece longer than this is taken as several. Above any word, and above what a term may hold. */
const MAX_PIECE = 256;
/** Words of one identifier; what follows is another one. */
const MAX_JOINED = 32;

// Scripts written without spaces between words, and Hangul, whose particles cling to the word.
const SPACELESS_SCRIPTS = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]`;
const LETTER = String.raw`[\p{L}\p{N}]`;
const SPACELESS = `[[${LETTER}\\p{M}]&&${SPACELESS_SCRIPTS}]`;
const SPACED = `[${LETTER}--${SPACELESS_SCRIPTS}]`;
const SPACED_REST = `[${SPACED}\\p{M}]{0,${MAX_PIECE}}`;

const PIECE = new RegExp(`(${SPACELESS})|(${SPACED}${SPACED_REST})|\\p{Extended_Pictographic}`, 'gv');

// Words joined by marks without a space, as in a UUID, an address, a path, a date, a version.
const WORD = String.raw`[${SPACED}_][${SPACED}\p{M}_]{0,${MAX_PIECE}}`;
const JOINED = new RegExp(String.raw`${WORD}(?:[\-.:@\/\\]{1,3}${WORD}){0,${MAX_JOINED}}[+#%]{0,2}`, 'gv');

export interface Piece {
  readonly text: string;
  /** `character`: one of a script without spaces; `first`: it does not follow another such character. */
  readonly kind: 'word' | 'first' | 'character';
}

/** Words, single characters of scripts without spaces, and pictographs, in order. */
export function* pieces(folded: string): Generator<Piece> {
  let end = -1;
  for (const match of folded.matchAll(PIECE)) {
    const [text, character] = match;
    if (character === undefined) yield { text, kind: 'word' };
    else {
      yield { text, kind: match.index === end ? 'character' : 'first' };
      end = match.index + text.length;
    }
  }
}

/** What is one name although it has marks in it: `marker_1777`, `2024-03-15`, `a@b.org`, `100%`, `c++`. */
export function* identifiers(folded: string): Generator<string> {
  for (const [text] of folded.matchAll(JOINED)) if (isIdentifier(text)) yield text;
}

// Marks between plain words are prose (and/or, e.g.); with a digit they are a name.
function isIdentifier(text: string): boolean {
  if (/[_@+#%]/.test(text)) return /[\p{L}\p{N}]/u.test(text);
  return /[-.:/\\]/.test(text) && /\p{N}/u.test(text);
}

/** What a text says, word for word, whatever its spelling and punctuation. */
export function foldedWords(text: string): readonly string[] {
  return [...pieces(fold(text))].map((piece) => piece.text);
}

export function identifiersOf(text: string): readonly string[] {
  return [...identifiers(fold(text))];
}
