/** Merging one unbroken run takes quadratic time, so very long text is cut into slices. */
const SLICE = 10_000;

export const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

export function slicesOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / SLICE) }, (_, n) =>
    text.slice(n * SLICE, (n + 1) * SLICE),
  );
}

/** Tokens over the slices, by one tokenizer's count. */
export function sumOfSlices(
  text: string,
  count: (slice: string, options: typeof PLAIN_TEXT) => number,
): number {
  return slicesOf(text).reduce((sum, slice) => sum + count(slice, PLAIN_TEXT), 0);
}
