/** By UTF-16 code units, as `<` on strings has it: no locale, so the same everywhere. */
export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
