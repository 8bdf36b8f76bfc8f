/** Numbers the lines of a trace, and remembers the newest reading of each thing. */
import type {
  BoundaryKind,
  BoundaryLine,
  NeedKind,
  PageLine,
  StepLine,
  SupersedeLine,
  UsageLine,
} from '../trace/format.js';

/** Between two calls when nobody recorded them: short enough for any provider's cache to stay warm. */
export const MADE_STEP_MS = 10_000;
/** Between two sessions when nobody recorded it: the caches that are kept longest by default are cold after it. */
export const MADE_SESSION_MS = 3_600_000;

type PageTold = Omit<PageLine, 'type' | 'id' | 'step'>;

export class TraceBuilder {
  readonly #why: NeedKind;
  #pages = 0;
  #steps = 0;
  #time = 0;

  constructor(why: NeedKind) {
    this.#why = why;
  }

  /** Milliseconds, of the step that was made last. */
  get time(): number {
    return this.#time;
  }

  page(told: PageTold): PageLine {
    return { type: 'page', id: this.#pages++, step: this.#steps, ...told };
  }

  /** Each page is needed once at most. Time never goes back; without a time it is made. */
  step(
    out: number,
    needs: Iterable<number> = [],
    at = this.#time + (this.#steps === 0 ? 0 : MADE_STEP_MS),
  ): StepLine {
    this.#time = Math.max(this.#time, Math.round(at));
    const each = [...new Set(needs)].toSorted((a, b) => a - b).map((id) => ({ id, why: this.#why }));
    return { type: 'step', i: this.#steps++, ms: this.#time, out, needs: each };
  }

  boundary(kind: BoundaryKind): BoundaryLine {
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
