/**
 * Values that are not said by chance: identifiers, paths, addresses, numbers of four digits and more. Who says one that
 * stood in an earlier text has it from there. Names in plain words, which are quoted too, are not told from other words.
 */

/** Shorter ones are said by chance. */
const SHORTEST = 4;

const WORD = /[\p{L}\d_](?:[\p{L}\d_./:@#$%+~=&?-]|,(?=\d{3}))*[\p{L}\d_]/gu;
const FORMS: readonly RegExp[] = [
  /\d[\d.,:/-]*\d[\d.,:/-]*\d[\d.,:/-]*\d/u,
  /(?=.*\d)(?=.*\p{L})/u,
  /_/u,
  /\p{Ll}\p{Lu}/u,
  /@|:\/\/|::/u,
  /\/.*[/.]|\.\p{L}{1,4}$/u,
];

export function exactValuesOf(text: string): Set<string> {
  const values = new Set<string>();
  for (const [word] of text.matchAll(WORD))
    if (word.length >= SHORTEST && FORMS.some((form) => form.test(word))) values.add(word);
  return values;
}
