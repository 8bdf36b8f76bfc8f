import type { Requests } from './requests.js';

/** Stands for a page that is not requested again. */
export const NEVER = 2 ** 31 - 1;

/** For each request, the place of the next one for the same page, or `NEVER`. One pass from the end. */
export function nextUses({ pages, distinct }: Requests): Int32Array {
  const next = new Int32Array(pages.length);
  const seen = new Int32Array(distinct).fill(NEVER);
  for (let at = pages.length - 1; at >= 0; at--) {
    const page = pages[at] ?? 0;
    next[at] = seen[page] ?? NEVER;
    seen[page] = at;
  }
  return next;
}
