// A lone surrogate survives JSON as an escape; services answer that they cannot parse the body.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Where text is no valid Unicode. */
export function malformedUnicode(value: unknown, where: string): string[] {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? [`${where}: lone surrogate`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...malformedUnicode(key, `${where} key`),
    ...malformedUnicode(inner, `${where}.${key}`),
  ]);
}
