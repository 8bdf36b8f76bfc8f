import { inspect } from 'node:util';
import type { Slice } from '@pagefault/contracts';
import { holds } from '../check.js';

/** All items of a listing. A cursor that comes twice would go round for ever, so it fails. */
export async function allPages<T>(page: (cursor?: string) => Promise<Slice<T>>): Promise<T[]> {
  const all: T[] = [];
  const seen = new Set<string>();
  let slice = checked(await page());
  while (slice.cursor !== undefined) {
    holds(!seen.has(slice.cursor), `the cursor ${slice.cursor} came twice`);
    seen.add(slice.cursor);
    all.push(...slice.items);
    slice = checked(await page(slice.cursor));
  }
  return [...all, ...slice.items];
}

function checked<T>(slice: Slice<T>): Slice<T> {
  const given = slice as Partial<Slice<T>> | null | undefined;
  holds(Array.isArray(given?.items), `a page is { items, cursor? }, and this one is ${inspect(slice)}`);
  return slice;
}
