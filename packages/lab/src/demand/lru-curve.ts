/**
 * The misses of LRU at every size at once. A request hits in a memory of c pages when fewer than c other pages were
 * requested since the last request for the same page; so one pass that counts those distances knows all sizes.
 * Source: Mattson, Gecsei, Slutz, Traiger, Evaluation Techniques for Storage Hierarchies (IBM Systems Journal 1970); the
 * distances by a Fenwick tree over the requests (Bennett and Kruskal 1975), O(n log n).
 */
import type { Requests } from './requests.js';

/** `misses[c]` for a memory of c pages, from 0 to the number of distinct pages. Sizes of pages are not looked at. */
export function lruCurve({ pages, distinct }: Requests): Float64Array {
  const hits = hitsByDistance(pages, distinct);
  const misses = new Float64Array(distinct + 1);
  misses[0] = pages.length;
  for (let frames = 1; frames <= distinct; frames++)
    misses[frames] = (misses[frames - 1] ?? 0) - (hits[frames] ?? 0);
  return misses;
}

/** How many requests hit from so many pages on. */
function hitsByDistance(pages: Int32Array, distinct: number): Float64Array {
  const hits = new Float64Array(distinct + 1);
  const last = new Int32Array(distinct).fill(-1);
  const newest = new FenwickTree(pages.length);
  for (let at = 0; at < pages.length; at++) {
    const page = pages[at] ?? 0;
    const before = last[page] ?? -1;
    if (before >= 0) {
      const others = newest.sum(at) - newest.sum(before + 1);
      hits[others + 1] = (hits[others + 1] ?? 0) + 1;
      newest.add(before, -1);
    }
    newest.add(at, 1);
    last[page] = at;
  }
  return hits;
}

/** Marks at the last request of each page; sums of prefixes in O(log n). */
class FenwickTree {
  readonly #sums: Int32Array;

  constructor(length: number) {
    this.#sums = new Int32Array(length + 1);
  }

  add(at: number, amount: number): void {
    for (let node = at + 1; node < this.#sums.length; node += node & -node) {
      this.#sums[node] = (this.#sums[node] ?? 0) + amount;
    }
  }

  /** Of the places before `end`. */
  sum(end: number): number {
    let sum = 0;
    for (let node = end; node > 0; node -= node & -node) sum += this.#sums[node] ?? 0;
    return sum;
  }
}
