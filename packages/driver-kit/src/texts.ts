import { PagefaultError } from '@pagefault/contracts';

/** Errors: `E_INVALID`, naming the place of the first text that holds nothing to embed. */
export function refuseEmpty(driver: string, texts: readonly string[]): void {
  const index = texts.findIndex((text) => !/\S/u.test(text));
  if (index < 0) return;
  const what = texts[index] === '' ? 'empty' : 'white space only';
  throw new PagefaultError('E_INVALID', `texts[${index}] is ${what}`, {
    driver,
    hint: 'leave out texts without a word: nothing of this call was embedded',
  });
}

/** `limit` of the items, first and last included; all when there are no more. */
export function evenlySpaced<T>(items: readonly T[], limit: number): T[] {
  if (items.length <= limit) return [...items];
  const chosen = new Set(
    Array.from({ length: limit }, (_, i) => Math.round((i * (items.length - 1)) / Math.max(1, limit - 1))),
  );
  return items.filter((_, i) => chosen.has(i));
}
