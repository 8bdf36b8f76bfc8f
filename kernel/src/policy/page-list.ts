import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { NONE } from './column.js';
import { PageLists } from './page-lists.js';
import { isPage } from './page-table.js';
import type { VictimQuery } from './policy.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The resident pages in one order: what FIFO, LRU and MRU share. */
export class PageList {
  readonly #lists = new PageLists(1);

  get tokens(): Tokens {
    return this.#lists.at(0).tokens;
  }

  /** To the end, unless it is there. */
  append({ id, tokens }: Pick<PageView, 'id' | 'tokens'>): void {
    if (this.#lists.frames.of(id) === NONE) this.#lists.put(0, id, tokens);
  }

  remove(id: PageId): void {
    this.#lists.remove(id);
  }

  /** Nothing happens to a page that is not there. */
  moveToEnd(id: PageId): void {
    const frame = this.#lists.frames.of(id);
    if (frame !== NONE) this.#lists.at(0).moveToEnd(frame);
  }

  /** From the front, as many eligible pages as the release needs. */
  take(ask: VictimQuery): PageId[] {
    return this.#lists.at(0).take(ask);
  }

  takeFromEnd(ask: VictimQuery): PageId[] {
    return this.#lists.at(0).takeFromEnd(ask);
  }

  rows(): [PageId, Tokens][] {
    return this.#lists.rows(0);
  }

  load(rows: readonly (readonly [PageId, Tokens])[]): void {
    this.#lists.load([rows]);
  }

  /** The order alone; empty when it does not fit, so that the caller rebuilds. */
  snapshot(maxBytes: number): Uint8Array {
    const bytes = encoder.encode(JSON.stringify(this.rows()));
    return bytes.length <= maxBytes ? bytes : new Uint8Array();
  }

  restore(bytes: Uint8Array): boolean {
    const entries = parseEntries(bytes);
    if (entries) this.load(entries);
    return entries !== undefined;
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
  return Array.isArray(value) && value.length === 2 && value.every(Number.isInteger) && isPage(value[0]);
}
