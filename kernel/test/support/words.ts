/** Text of an exact size: `tokens` by the doubles' counter, frame included. */
export function textOf(tokens: number, mark = 'x'): string {
  const points = Math.max(1, (tokens - 4) * 4);
  const words = `${mark} `.repeat(Math.ceil(points / (mark.length + 1)) + 1).slice(0, points);
  // A text that ends in white space would be trimmed somewhere.
  return words.endsWith(' ') ? `${words.slice(0, -1)}.` : words;
}
