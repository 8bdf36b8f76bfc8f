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

export interface ExpectedNeeds {
  /**
   * Births of pages to one need of a page, before any need was seen, and never more: a long talk in which nothing was asked
   * back does not say that nothing will be.
   */
  readonly births: number;
  /** Needs that a group must have shown before its own rate weighs as much as what was expected of it. */
  readonly weight: number;
}

/** Pages of one group: how many there are, page-births that they lived through, and needs of them. */
class Group {
  pages = 0;
  lived = 0;
  needs = 0;

  /** Against the rate of all, drawn toward what was expected. */
  ratio(rate: number, expected: number, weight: number): number {
    const seen = this.lived * rate + weight;
    return seen > 0 ? (this.needs + weight * expected) / seen : expected;
  }
}

const groups = (count: number) => Array.from({ length: count }, () => new Group());

export class NeedRates {
  readonly #expected: ExpectedNeeds;
  readonly #all = new Group();
  readonly #byClass = groups(PAGE_CLASSES.length);
  readonly #byUses = groups(MOST_USES + 1);
  readonly #every = [this.#all, ...this.#byClass, ...this.#byUses];

  constructor(expected: ExpectedNeeds) {
    this.#expected = expected;
  }

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
    const { births, weight } = this.#expected;
    const seen = (needs + 1) / (lived + births);
    const place = PAGE_CLASSES.indexOf(kind);
    const times = Math.min(uses, MOST_USES);
    const byClass = this.#byClass[place]?.ratio(seen, EXPECTED[place] ?? 1, weight) ?? 1;
    const byUses = this.#byUses[times]?.ratio(seen, EXPECTED_AGAIN[times] ?? 1, weight) ?? 1;
    return Math.max(1 / births, seen) * byClass * byUses;
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
