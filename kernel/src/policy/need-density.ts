/**
 * Need density: pages go that are worth least for the room they take, from where that rewrites little of the cached prefix.
 *
 * A page is worth the needs that it may expect until the next reclaim, times the price of a fault: one more call, which reads
 * the prompt from the cache (r) and says what it wants, and the page, written anew at the end (w; prices relative to plain
 * input). How often pages are needed is learned: by what they are, and by how often they were needed before, evicted pages
 * included, for a fault says the most. Its rent is what it costs to be read at every request until then. Whoever is worth
 * least for a token goes first, so that of pages that are needed alike the large ones go.
 *
 * A reclaim rewrites all that stays behind the first victim. So of several places for that first victim the one is taken
 * that costs least in all; and when the price is paid, who is not worth its rent goes too, asked for or not.
 *
 * Source: ours, found with the lab (`docs/results.md`). Worth for a token is GreedyDual-Size's idea (Cao, Irani, USENIX
 * Symposium on Internet Technologies 1997), with frequency as in GDSF; the price of rewriting is `batch-prefix`'s.
 */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { MOST_USES, NeedRates, PAGE_CLASSES, type PageClass, RATE_FIGURES } from './need-rates.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { cheapestVictims, type Offer } from './prefix-cut.js';
import { pageId, rows, snapshotsOf, whole } from './snapshot.js';
import { sizeNow } from './victims.js';

export interface NeedDensityOptions {
  /** Price of a token that is read from the provider's cache, plain input being 1. Default .05. */
  readonly cached?: number;
  /** Price of a token that is written to it. Default 1.25. */
  readonly written?: number;
  /** What is said to ask for a page: a hundred tokens at five times the price of input. Default 500. */
  readonly asking?: number;
  /**
   * Births of pages to one need of a page, until needs were seen. Default 500: between what traces have, one need in 110
   * births (tau-bench) to one in 1,700 (LoCoMo). With more it forgets too soon where all questions come at the end.
   */
  readonly births?: number;
  /** Needs that pages of a kind must have shown before their own rate counts as much as what was expected. Default 4. */
  readonly weight?: number;
}

interface Page {
  readonly id: PageId;
  readonly tokens: Tokens;
  kind: PageClass;
  /** Counted up to `MOST_USES`. */
  uses: number;
}

/** Evicted pages that are remembered: what is needed again is mostly of the last thousand. */
const GHOSTS = 1_000;

const pageRows = rows(z.tuple([pageId, whole, whole.max(PAGE_CLASSES.length - 1), whole.max(MOST_USES)]));
const knowledge = z
  .strictObject({
    rates: z.array(whole).length(RATE_FIGURES),
    births: whole,
    since: whole.nullable(),
    pages: pageRows,
    ghosts: pageRows,
  })
  .refine(
    ({ pages, ghosts }) =>
      new Set([...pages, ...ghosts].map(([id]) => id)).size === pages.length + ghosts.length,
  );
const snapshots = snapshotsOf('need-density', knowledge);
type Knowledge = z.output<typeof knowledge>;

export function needDensity(options: NeedDensityOptions = {}): PagingPolicy {
  const table = new Densities({
    cached: 0.05,
    written: 1.25,
    asking: 500,
    births: 500,
    weight: 4,
    ...options,
  });
  return {
    id: 'need-density',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => table.add(page),
    onNeed: (needs) => {
      for (const { id } of needs) table.need(id);
    },
    onResidency: (id, now, cause) => {
      if (cause === 'erasure') table.forget(id);
      else if (now === 'evicted') table.evict(id);
    },
    victims: (ask) => table.victims(ask),
    onBoundary: (kind) => {
      if (kind === 'flush') table.flushed();
    },
    snapshot: (maxBytes) => {
      const bytes = snapshots.write(table.knowledge(), maxBytes);
      return bytes.length > 0 ? bytes : snapshots.write(table.knowledge([]), maxBytes);
    },
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (known) table.load(known);
      return known !== undefined;
    },
  };
}

class Densities {
  readonly #prices: Required<Pick<NeedDensityOptions, 'cached' | 'written' | 'asking'>>;
  readonly #rates: NeedRates;
  /** In the order in which they stand in the request. */
  readonly #residents = new Map<PageId, Page>();
  /** In the order in which they left. */
  readonly #ghosts = new Map<PageId, Page>();
  /** Since the last flush, of which the step is unknown after a rebuild. */
  #births = 0;
  #since: number | null = null;
  #asked = 0;

  constructor({ births, weight, ...prices }: Required<NeedDensityOptions>) {
    this.#prices = prices;
    this.#rates = new NeedRates({ births, weight });
  }

  add(view: PageView): void {
    if (view.id === 1) this.#since = 0;
    for (const older of view.supersedes ?? []) this.#outdate(older);
    if (this.#residents.has(view.id)) return;
    this.#births++;
    const ghost = this.#ghosts.get(view.id);
    this.#residents.set(view.id, ghost ?? this.#born(view));
    this.#ghosts.delete(view.id);
  }

  #born({ id, tokens, kind: role, firstSeq, lastSeq }: PageView): Page {
    const kind = classOf(role, lastSeq > firstSeq);
    this.#rates.tick();
    this.#rates.add(kind, 0);
    return { id, tokens, kind, uses: 0 };
  }

  #outdate(id: PageId): void {
    const page = this.#known(id);
    if (!page) return;
    this.#rates.remove(page.kind, page.uses);
    page.kind = 'superseded';
    this.#rates.add(page.kind, page.uses);
  }

  #known(id: PageId): Page | undefined {
    return this.#residents.get(id) ?? this.#ghosts.get(id);
  }

  need(id: PageId): void {
    const page = this.#known(id);
    if (!page) return;
    this.#rates.need(page.kind, page.uses);
    page.uses = Math.min(MOST_USES, page.uses + 1);
  }

  evict(id: PageId): void {
    const page = this.#residents.get(id);
    if (!page) return;
    this.#residents.delete(id);
    this.#ghosts.set(id, page);
    const [oldest] = this.#ghosts.keys();
    if (this.#ghosts.size > GHOSTS && oldest !== undefined) this.forget(oldest);
  }

  forget(id: PageId): void {
    const page = this.#known(id);
    if (page) this.#rates.remove(page.kind, page.uses);
    this.#residents.delete(id);
    this.#ghosts.delete(id);
  }

  victims(ask: VictimQuery): PageId[] {
    this.#asked = ask.step;
    const { cached, written } = this.#prices;
    return cheapestVictims(this.#offers(ask), ask.release, written - cached);
  }

  #offers(ask: VictimQuery): Offer[] {
    const { asking, cached, written } = this.#prices;
    const pages = [...this.#residents.values()].map((page) => ({
      ...page,
      tokens: sizeNow(ask, page.id, page.tokens),
    }));
    const prompt = pages.reduce((sum, { tokens }) => sum + tokens, 0);
    const births = Math.max(1, this.#births);
    const requests = this.#since === null ? 0 : Math.max(0, ask.step - this.#since);
    return pages.map(({ id, tokens, kind, uses }) => ({
      id,
      tokens,
      isEligible: ask.isEligible(id),
      worth: this.#rates.rate(kind, uses) * births * (cached * prompt + asking + written * tokens),
      rent: cached * tokens * requests,
    }));
  }

  flushed(): void {
    [this.#births, this.#since] = [0, this.#asked];
  }

  knowledge(ghosts: readonly Page[] = [...this.#ghosts.values()]): Knowledge {
    return {
      rates: this.#rates.figures(),
      births: this.#births,
      since: this.#since,
      pages: [...this.#residents.values()].map(toRow),
      ghosts: ghosts.map(toRow),
    };
  }

  load({ rates, births, since, pages, ghosts }: Knowledge): void {
    [this.#births, this.#since] = [births, since];
    this.#rates.load(rates);
    this.#fill(this.#residents, pages);
    this.#fill(this.#ghosts, ghosts);
  }

  #fill(map: Map<PageId, Page>, all: Knowledge['pages']): void {
    map.clear();
    for (const [id, tokens, place, uses] of all) {
      const kind = PAGE_CLASSES[place] ?? 'other';
      map.set(id, { id, tokens, kind, uses });
      this.#rates.add(kind, uses);
    }
  }
}

function classOf(role: PageView['kind'], hasResults: boolean): PageClass {
  if (role === 'user') return 'user';
  if (role === 'assistant') return hasResults ? 'results' : 'reply';
  return 'other';
}

function toRow({ id, tokens, kind, uses }: Page): Knowledge['pages'][number] {
  return [id, tokens, PAGE_CLASSES.indexOf(kind), uses];
}
