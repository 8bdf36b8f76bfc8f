import type { PageId, Tokens } from '@pagefault/contracts';
import type { PagingTrace } from '../trace/paging-trace.js';
import type { Prefetch } from './setup.js';

/** Which pages would be read in before they are missed, whether they are away or not. */
export interface Prefetcher {
  /** Before the needs of a step are met. */
  atStep(step: number): Iterable<PageId>;
  /** With a page that is read in; of the pages `from` the context's first on that are `born`. */
  with(page: PageId, from: PageId, born: number): Iterable<PageId>;
}

const NOTHING: Prefetcher = { atStep: () => [], with: () => [] };

export function prefetcher(trace: PagingTrace, prefetch: Prefetch): Prefetcher {
  switch (prefetch.kind) {
    case 'none':
      return NOTHING;
    case 'neighbour':
      return {
        ...NOTHING,
        with: (page, from, born) =>
          around(page, prefetch.pages, born, (place) => (place < from ? undefined : place)),
      };
    case 'session':
      return { ...NOTHING, with: alike(trace.sessions, prefetch.pages) };
    case 'object':
      return { ...NOTHING, with: alike(trace.objects, prefetch.pages) };
    case 'ranked':
      return { ...NOTHING, atStep: (step) => (trace.ranks[step] ?? []).slice(0, prefetch.pages) };
    case 'oracle': {
      const { needs, needStart } = trace;
      const needsOf = (step: number) => needs.subarray(needStart[step], needStart[step + 1]);
      return { ...NOTHING, atStep: (step) => needsOf(step).subarray(0, prefetch.pages) };
    }
  }
}

/** Pages of the same group, as `groups` numbers it; of none when that is below zero. */
function alike(groups: Int32Array, pages: number): Prefetcher['with'] {
  const members: PageId[][] = [];
  const places = new Int32Array(groups.length);
  for (const [page, group] of groups.entries()) {
    if (group < 0) continue;
    const all = (members[group] ??= []);
    places[page] = all.push(page) - 1;
  }
  return (page, _from, born) => {
    const all = members[groups[page] ?? -1];
    return all ? around(places[page] ?? 0, pages, born, (place) => all[place]) : [];
  };
}

/** From a place in an ascending row outwards, the nearest by number first, and of two that are as near the earlier. */
function* around(
  at: number,
  count: number,
  born: number,
  pageAt: (place: number) => PageId | undefined,
): Generator<PageId> {
  const page = pageAt(at) ?? 0;
  let [before, after] = [at - 1, at + 1];
  for (let taken = 0; taken < count; taken++) {
    const [earlier, later] = [pageAt(before) ?? -Infinity, pageAt(after) ?? Infinity];
    const isEarlier = page - earlier <= later - page;
    const next = isEarlier ? earlier : later;
    if (!Number.isFinite(next)) return;
    if (isEarlier) before--;
    else after++;
    if (next < born) yield next;
  }
}

/** What came of pages that were read in before they were missed. */
export class PrefetchTally {
  readonly count = { prefetched: 0, prefetchedTokens: 0, prefetchUsed: 0, pollution: 0 };
  readonly #unused = new Map<PageId, Tokens>();
  readonly #pushedOut = new Set<PageId>();

  brought(page: PageId, tokens: Tokens): void {
    this.count.prefetched++;
    this.count.prefetchedTokens += tokens;
    this.#unused.set(page, tokens);
  }

  /** Whether it is there for having been prefetched, and needed for the first time since. */
  needed(page: PageId): boolean {
    const isUsed = this.#unused.delete(page);
    if (isUsed) this.count.prefetchUsed++;
    return isUsed;
  }

  faulted(page: PageId): void {
    if (this.#pushedOut.has(page)) this.count.pollution++;
  }

  cameBack(page: PageId): void {
    this.#pushedOut.delete(page);
  }

  /** A context has ended: nothing of it is in the request any more. */
  forget(): void {
    this.#unused.clear();
    this.#pushedOut.clear();
  }

  /** The tokens in the request of what was not needed since. */
  get unused(): Tokens {
    let tokens = 0;
    for (const size of this.#unused.values()) tokens += size;
    return tokens;
  }

  /** They leave in this order; without what is unused, so much would have been released. */
  left(victims: Iterable<PageId>, otherwise: Tokens, freedBy: (page: PageId) => Tokens): void {
    let released = 0;
    for (const page of victims) {
      if (this.#unused.delete(page)) continue;
      if (released >= otherwise) this.#pushedOut.add(page);
      else this.#pushedOut.delete(page);
      released += freedBy(page);
    }
  }
}
