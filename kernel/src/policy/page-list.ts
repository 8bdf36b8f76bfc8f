import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { NONE } from './column.js';
import { FrameList } from './frame-list.js';
import { Frames, isPage } from './frames.js';
import type { VictimQuery } from './policy.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The resident pages in one order: what FIFO, LRU and MRU share. */
export class PageList {
  readonly #frames = new Frames();
  readonly #list = new FrameList(this.#frames);

  get tokens(): Tokens {
    return this.#list.tokens;
  }

  /** To the end, unless it is there. */
  append({ id, tokens }: Pick<PageView, 'id' | 'tokens'>): void {
    if (this.#frames.of(id) === NONE) this.#list.append(this.#frames.open(id, tokens));
  }

  remove(id: PageId): void {
    const frame = this.#frames.of(id);
    if (frame === NONE) return;
    this.#list.remove(frame);
    this.#frames.close(frame);
  }

  /** Nothing happens to a page that is not there. */
  moveToEnd(id: PageId): void {
    const frame = this.#frames.of(id);
    if (frame !== NONE) this.#list.moveToEnd(frame);
  }

  /** From the front, as many eligible pages as the release needs. */
  take(ask: VictimQuery): PageId[] {
    return this.#list.take(ask);
  }

  takeFromEnd(ask: VictimQuery): PageId[] {
    return this.#list.takeFromEnd(ask);
  }

  rows(): [PageId, Tokens][] {
    return this.#list.rows();
  }

  load(rows: readonly (readonly [PageId, Tokens])[]): void {
    this.#frames.clear();
    this.#list.clear();
    for (const [id, tokens] of rows) this.append({ id, tokens });
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
