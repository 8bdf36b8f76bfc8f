/** The first `limit` code points, with `…` where something was left out. */
export function cut(text: string, limit: number): string {
  // A code point is at most two code units, so that a huge text is not spread out whole.
  const points = Array.from(text.slice(0, 2 * limit + 2));
  return points.length <= limit ? text : `${points.slice(0, limit).join('')}…`;
}

/** On one line, with plain apostrophes and quotation marks. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

export function sentences(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?\uff1f\u061f\u3002])\s+|\n+/)
    .map(oneLine)
    .filter((sentence) => sentence !== '');
}

const STOP_WORDS = new Set(
  (
    'a an the and or but if of in on at to for from by with about as is are am was were be been do does did ' +
    'have has had can could will would should may might i you he she it we they me my mine your yours his her ' +
    'its our their them us what who whom whose where when which why how that this these those there here ' +
    'tell please know say said remember not no yes so any some'
  ).split(' '),
);

/** The words that carry meaning, in lower case. */
export function contentWords(text: string): readonly string[] {
  const words =
    oneLine(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)))];
}

/** How many of `words` the text holds, up to endings: `live` is found in `lives`. */
export function overlap(words: readonly string[], text: string): number {
  const others = contentWords(text);
  return words.filter((word) => others.some((other) => akin(word, other))).length;
}

/** Letters that two words must share at their beginning to count as forms of one. */
const SHARED = 4;

function akin(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = a.length < b.length ? a : b;
  return shorter.length >= SHARED && a.slice(0, shorter.length - 1) === b.slice(0, shorter.length - 1);
}
