/** Numbers the lines of a trace, ranks its pages, and remembers the newest reading of each thing. */
import type {
  BoundaryKind,
  BoundaryLine,
  NeedKind,
  PageLine,
  StepLine,
  SupersedeLine,
  UsageLine,
} from '../trace/format.js';
import { Ranker } from './ranker.js';

/** Between two calls when nobody recorded them: short enough for any provider's cache to stay warm. */
export const MADE_STEP_MS = 10_000;
/** Between two sessions when nobody recorded it: the caches that are kept longest by default are cold after it. */
export const MADE_SESSION_MS = 3_600_000;

type PageTold = Omit<PageLine, 'type' | 'id' | 'step'>;

export class TraceBuilder {
  readonly #why: NeedKind | undefined;
  #pages = 0;
  #steps = 0;
  #time = 0;
  #ranker = new Ranker();
  /** Born for the step to come: a search finds what was there before. */
  #born: PageLine[] = [];
  /** What is talked about: words of the newest user message. */
  #focus: readonly number[] = [];

  /** Without a kind there are no needs. */
  constructor(why?: NeedKind) {
    this.#why = why;
  }

  /** Milliseconds, of the step that was made last. */
  get time(): number {
    return this.#time;
  }

  page(told: PageTold): PageLine {
    const page: PageLine = { type: 'page', id: this.#pages++, step: this.#steps, ...told };
    this.#born.push(page);
    if (page.kind === 'user') this.#focus = page.terms ?? [];
    return page;
  }

  /**
   * Each page is needed once at most. Time never goes back; without a time it is made. Where pages tell their words it asks for
   * those of the newest user message, and has the pages of the session that a search for them would find.
   */
  step(
    out: number,
    needs: Iterable<number> = [],
    at = this.#time + (this.#steps === 0 ? 0 : MADE_STEP_MS),
  ): StepLine {
    this.#time = Math.max(this.#time, Math.round(at));
    const why = this.#why;
    const told =
      why === undefined ? [] : [...new Set(needs)].toSorted((a, b) => a - b).map((id) => ({ id, why }));
    const rank = this.#ranker.rank(this.#focus);
    for (const { id, terms = [] } of this.#born) this.#ranker.add(id, terms);
    this.#born = [];
    const words = this.#focus.length > 0 ? { query: [...this.#focus], ...(rank.length > 0 && { rank }) } : {};
    return { type: 'step', i: this.#steps++, ms: this.#time, out, needs: told, ...words };
  }

  boundary(kind: BoundaryKind): BoundaryLine {
    if (kind === 'session_end') [this.#ranker, this.#born, this.#focus] = [new Ranker(), [], []];
    return { type: 'boundary', step: this.#steps, kind };
  }

  supersede(old: number, newer: number): SupersedeLine {
    return { type: 'supersede', step: this.#steps, old, new: newer };
  }

  /** Of the step that was made last. */
  usage(told: Omit<UsageLine, 'type' | 'step'>): UsageLine {
    return { type: 'usage', step: this.#steps - 1, ...told };
  }

  pass(ms: number): void {
    if (this.#steps > 0) this.#time += ms;
  }
}

/** Which page holds the newest reading of a thing, and which reading that is. */
export class Readings {
  readonly #newest = new Map<string, { readonly page: number; readonly ver: number }>();

  latest(key: string): number | undefined {
    return this.#newest.get(key)?.page;
  }

  nextVersion(key: string): number {
    return (this.#newest.get(key)?.ver ?? -1) + 1;
  }

  /** The reading before it, if any. */
  add(key: string, page: number): number | undefined {
    const before = this.latest(key);
    this.#newest.set(key, { page, ver: this.nextVersion(key) });
    return before;
  }
}

export function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
