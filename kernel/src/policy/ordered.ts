import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import type { VictimQuery } from './policy.js';
import { type Candidate, takeEnough } from './victims.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * What list-like policies share: the resident pages from first to go to last to go. A `Map` keeps the
 * order of insertion, so moving a page to the end is a delete and a set.
 */
export class OrderedPages {
  readonly #tokens = new Map<PageId, Tokens>();

  append(page: PageView): void {
    this.#tokens.set(page.id, page.tokens);
  }

  remove(id: PageId): void {
    this.#tokens.delete(id);
  }

  moveToEnd(id: PageId): void {
    const tokens = this.#tokens.get(id);
    if (tokens === undefined) return;
    this.#tokens.delete(id);
    this.#tokens.set(id, tokens);
  }

  /** From the front, as many eligible pages as the release needs. */
  take(ask: VictimQuery): PageId[] {
    return takeEnough(this.#pages(), ask);
  }

  *#pages(): Generator<Candidate> {
    for (const [id, tokens] of this.#tokens) yield { id, tokens };
  }

  get total(): Tokens {
    let total = 0;
    for (const tokens of this.#tokens.values()) total += tokens;
    return total;
  }

  rows(): [PageId, Tokens][] {
    return [...this.#tokens];
  }

  load(rows: Iterable<readonly [PageId, Tokens]>): void {
    this.#tokens.clear();
    for (const [id, tokens] of rows) this.#tokens.set(id, tokens);
  }

  /** The order alone; empty when it does not fit, so that the caller rebuilds. */
  snapshot(maxBytes: number): Uint8Array {
    const bytes = encoder.encode(JSON.stringify(this.rows()));
    return bytes.length <= maxBytes ? bytes : new Uint8Array();
  }

  restore(bytes: Uint8Array): boolean {
    const entries = parseEntries(bytes);
    if (!entries) return false;
    this.load(entries);
    return true;
  }
}

function parseEntries(bytes: Uint8Array): [PageId, Tokens][] | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return Array.isArray(value) && value.every(isEntry) ? value : undefined;
  } catch {
    return undefined; // Not a snapshot of ours: the caller is told by `undefined` and rebuilds.
  }
}

function isEntry(value: unknown): value is [PageId, Tokens] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);
}
