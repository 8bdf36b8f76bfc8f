/** How often pages are needed, learned from what was needed so far: by what a page is, and by how often it was needed. */

/** What a page is, as far as a policy is told. */
export type PageClass = 'user' | 'results' | 'reply' | 'other' | 'superseded';
export const PAGE_CLASSES: readonly PageClass[] = ['user', 'results', 'reply', 'other', 'superseded'];

/** Pages needed this often, or more, are one group. */
export const MOST_USES = 3;

/**
 * What one needs of another class counts for before any was seen: what users said and what functions returned is where
 * facts come from; the model's own words repeat them; what was read again since is stale.
 */
const EXPECTED = [1, 1, 0.5, 1, 0.1] as const;

/** The same, of pages that were needed never, once, twice, or more often: in proportion, as LFU takes it. */
const EXPECTED_AGAIN = [1, 2, 3, 4] as const;

/**
 * Needs of a page at each birth of another one, before any was seen, and never less: a long talk in which nothing was asked
 * back does not say that nothing will be. Between what traces have: one need in 110 births (tau-bench) to one in 1,700
 * (LoCoMo). Less than this forgets too soon where all questions come at the end.
 */
const LEAST_RATE = 1 / 500;

/** Needs that a group must have shown before its own rate weighs as much as what was expected of it. */
const WEIGHT = 4;

/** Pages of one group: how many there are, page-births that they lived through, and needs of them. */
class Group {
  pages = 0;
  lived = 0;
  needs = 0;

  /** Against the rate of all, drawn toward what was expected. */
  ratio(rate: number, expected: number): number {
    return (this.needs + WEIGHT * expected) / (this.lived * rate + WEIGHT);
  }
}

const groups = (count: number) => Array.from({ length: count }, () => new Group());

export class NeedRates {
  readonly #all = new Group();
  readonly #byClass = groups(PAGE_CLASSES.length);
  readonly #byUses = groups(MOST_USES + 1);
  readonly #every = [this.#all, ...this.#byClass, ...this.#byUses];

  /** A page was born: those before it lived through a birth more. */
  tick(): void {
    for (const group of this.#every) group.lived += group.pages;
  }

  add(kind: PageClass, uses: number): void {
    for (const group of this.#of(kind, uses)) group.pages++;
  }

  remove(kind: PageClass, uses: number): void {
    for (const group of this.#of(kind, uses)) group.pages--;
  }

  /** Of a page that had been needed `uses` times before. */
  need(kind: PageClass, uses: number): void {
    for (const group of this.#of(kind, uses)) group.needs++;
    this.remove(kind, uses);
    this.add(kind, uses + 1);
  }

  /** Needs that such a page may expect at each birth of another one. */
  rate(kind: PageClass, uses: number): number {
    const { lived, needs } = this.#all;
    const seen = (needs + 1) / (lived + 1 / LEAST_RATE);
    const place = PAGE_CLASSES.indexOf(kind);
    const byClass = this.#byClass[place]?.ratio(seen, EXPECTED[place] ?? 1) ?? 1;
    const byUses =
      this.#byUses[Math.min(uses, MOST_USES)]?.ratio(seen, EXPECTED_AGAIN[Math.min(uses, MOST_USES)] ?? 1) ??
      1;
    return Math.max(LEAST_RATE, seen) * byClass * byUses;
  }

  /** Page-births and needs of each group; how many pages there are follows from the pages. */
  figures(): number[] {
    return this.#every.flatMap(({ lived, needs }) => [lived, needs]);
  }

  load(figures: readonly number[]): void {
    for (const [at, group] of this.#every.entries()) {
      group.pages = 0;
      [group.lived, group.needs] = [figures[2 * at] ?? 0, figures[2 * at + 1] ?? 0];
    }
  }

  #of(kind: PageClass, uses: number): Group[] {
    const own = [this.#byClass[PAGE_CLASSES.indexOf(kind)], this.#byUses[Math.min(uses, MOST_USES)]];
    return [this.#all, ...own.filter((group) => group !== undefined)];
  }
}

/** Figures of all groups together. */
export const RATE_FIGURES = 2 * (1 + PAGE_CLASSES.length + MOST_USES + 1);
