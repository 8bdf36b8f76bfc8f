/** A place where a text may be cut. The lower the level, the better the place. */
export interface Boundary {
  /** UTF-16 offset: the next part begins here. */
  readonly at: number;
  readonly level: Level;
}

/** 0 before a heading, 1 between paragraphs, 2 between lines, 3 between sentences, 4 anywhere else. */
export type Level = 0 | 1 | 2 | 3 | 4;

// Line ends, and ends of sentences with what closes them. The look-behind lets a long run of marks be tried once only,
// so that the time stays linear.
const SEPARATOR = /\n\s*\n|\n|(?<![.!?…])[.!?…]+["'”’)\]]*\s+|[。！？]+[”’」』）]*/g;
const HEADING = /#{1,6}[ \t]/y;

/** The natural places to cut, in order. Not among them: the start and the end. */
export function* boundariesOf(text: string): Generator<Boundary> {
  for (const match of text.matchAll(SEPARATOR)) {
    const at = match.index + match[0].length;
    if (at < text.length) yield { at, level: levelOf(text, at, match[0]) };
  }
}

function levelOf(text: string, at: number, separator: string): Level {
  const newlines = separator.split('\n').length - 1;
  HEADING.lastIndex = at;
  if (newlines > 0 && HEADING.test(text)) return 0;
  if (newlines > 1) return 1;
  return newlines === 1 ? 2 : 3;
}

const SPACES = ' \n\t\r\u3000';
// Characters on either side of the middle; a longer run without a space is no language's word.
const MAX_REACH = 1024;

/** Near the middle of text[start, end): after white space when there is some close by, else between code points. */
export function middleOf(text: string, start: number, end: number): number {
  const middle = (start + end) >> 1;
  const reach = Math.min((end - start) >> 2, MAX_REACH);
  for (let step = 0; step < reach; step += 1) {
    if (SPACES.includes(text.charAt(middle - step - 1))) return middle - step;
    if (SPACES.includes(text.charAt(middle + step - 1))) return middle + step;
  }
  return isInsidePair(text, middle) ? middle + 1 : middle;
}

/** True when a cut at `at` would part a surrogate pair. */
export function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
