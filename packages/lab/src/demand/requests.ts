import { IntegerLog } from '../trace/logs.js';

/** A classic trace: requests for pages, interned so that the pages are 0, 1, 2 … in the order of their first request. */
export interface Requests {
  readonly pages: Int32Array;
  readonly distinct: number;
  /** Bytes of each page, by its number. Left out: every page has size 1. */
  readonly sizes?: Int32Array;
}

/** What names a page in a trace. */
export type PageKey = string | number | bigint;

/** Takes requests one by one, and interns their pages. */
export class RequestLog {
  readonly #numbers = new Map<PageKey, number>();
  readonly #pages = new IntegerLog();
  readonly #sizes: number[] = [];

  /** A page keeps the size of its first request, for a memory cannot hold one page in two sizes. */
  add(key: PageKey, size?: number): void {
    let page = this.#numbers.get(key);
    if (page === undefined) {
      page = this.#numbers.size;
      this.#numbers.set(key, page);
      if (size !== undefined) this.#sizes[page] = size;
    }
    this.#pages.push(page);
  }

  requests(): Requests {
    const known = { pages: this.#pages.integers(), distinct: this.#numbers.size };
    return this.#sizes.length === 0 ? known : { ...known, sizes: Int32Array.from(this.#sizes) };
  }
}

export function intern(keys: Iterable<PageKey>): Requests {
  const log = new RequestLog();
  for (const key of keys) log.add(key);
  return log.requests();
}
