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
  #pages = new Int32Array(1_024);
  #length = 0;
  readonly #sizes: number[] = [];

  /** A page keeps the size of its first request, for a memory cannot hold one page in two sizes. */
  add(key: PageKey, size?: number): void {
    let page = this.#numbers.get(key);
    if (page === undefined) {
      page = this.#numbers.size;
      this.#numbers.set(key, page);
      if (size !== undefined) this.#sizes[page] = size;
    }
    if (this.#length === this.#pages.length) this.#grow();
    this.#pages[this.#length++] = page;
  }

  #grow(): void {
    const pages = new Int32Array(this.#pages.length * 2);
    pages.set(this.#pages);
    this.#pages = pages;
  }

  requests(): Requests {
    const pages = this.#pages.slice(0, this.#length);
    const known = { pages, distinct: this.#numbers.size };
    return this.#sizes.length === 0 ? known : { ...known, sizes: Int32Array.from(this.#sizes) };
  }
}

export function intern(keys: Iterable<PageKey>): Requests {
  const log = new RequestLog();
  for (const key of keys) log.add(key);
  return log.requests();
}
