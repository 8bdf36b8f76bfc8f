/**
 * Which pages a search for words would find, the best first: Okapi BM25 (Robertson and Zaragoza 2009) with its usual
 * k1 = 1.2 and b = .75. Pages tell which words they have and not how often, so a word counts once.
 */
const K1 = 1.2;
const B = 0.75;
/** As many as the kernel's search shows on a page. */
const MOST = 10;

export class Ranker {
  /** How many words each page has. */
  readonly #pages = new Map<number, number>();
  /** Pages by the words that they have. */
  readonly #postings = new Map<number, number[]>();
  #length = 0;

  add(page: number, words: readonly number[]): void {
    if (words.length === 0) return;
    this.#pages.set(page, words.length);
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
    const mean = this.#length / this.#pages.size;
    for (const word of query) {
      const pages = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + (this.#pages.size - pages.length + 0.5) / (pages.length + 0.5));
      for (const page of pages) scores.set(page, (scores.get(page) ?? 0) + rarity * this.#weight(page, mean));
    }
    return bestOf(scores);
  }

  #weight(page: number, mean: number): number {
    const words = this.#pages.get(page) ?? 0;
    return (K1 + 1) / (1 + K1 * (1 - B + (B * words) / mean));
  }
}

type Scored = readonly [page: number, score: number];

/** Thousands have a word in common with a question in a long session: to sort them all takes longer than to score them. */
function bestOf(scores: ReadonlyMap<number, number>): number[] {
  const best: Scored[] = [];
  for (const one of scores) {
    let at = best.length;
    while (at > 0 && isBetter(one, best[at - 1])) at--;
    if (at < MOST) best.splice(at, 0, one);
    if (best.length > MOST) best.pop();
  }
  return best.map(([page]) => page);
}

function isBetter([page, score]: Scored, other: Scored | undefined): boolean {
  return other === undefined || score > other[1] || (score === other[1] && page > other[0]);
}
