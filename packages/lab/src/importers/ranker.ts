/**
 * Which pages a search for words would find, the best first: Okapi BM25 (Robertson and Zaragoza 2009) with its usual
 * k1 = 1.2 and b = .75. Pages tell which words they have and not how often, so a word counts once.
 */
const K1 = 1.2;
const B = 0.75;
/** As many as the kernel's search shows on a page. */
const MOST = 10;

export class Ranker {
  readonly #pages = new Map<number, readonly number[]>();
  /** Pages by the words that they have. */
  readonly #postings = new Map<number, number[]>();
  #length = 0;

  add(page: number, words: readonly number[]): void {
    if (words.length === 0) return;
    this.#pages.set(page, words);
    this.#length += words.length;
    for (const word of words) {
      const known = this.#postings.get(word);
      if (known) known.push(page);
      else this.#postings.set(word, [page]);
    }
  }

  /** Of pages that are as good the newer first. */
  rank(query: readonly number[]): number[] {
    const scores = new Map<number, number>();
    for (const word of query) {
      const pages = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + (this.#pages.size - pages.length + 0.5) / (pages.length + 0.5));
      for (const page of pages) scores.set(page, (scores.get(page) ?? 0) + rarity * this.#weight(page));
    }
    const best = [...scores].toSorted(([a, x], [b, y]) => y - x || b - a).slice(0, MOST);
    return best.map(([page]) => page);
  }

  #weight(page: number): number {
    const words = this.#pages.get(page)?.length ?? 0;
    const mean = this.#length / this.#pages.size;
    return (K1 + 1) / (1 + K1 * (1 - B + (B * words) / mean));
  }
}
