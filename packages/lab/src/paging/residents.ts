import type { PageId, Tokens } from '@pagefault/contracts';
import { Prompt } from './prompt.js';
import type { Placement, Remains } from './setup.js';
import type { PagingTrace } from '../trace/paging-trace.js';

const [GONE, RESIDENT, STUB] = [0, 1, 2] as const;

/** The model reads what leaves and the summary before, as plain input, and writes the new one. */
export interface SummaryCall {
  readonly read: Tokens;
  readonly written: Tokens;
}

/** Which pages are in the request, and in which order they and what is left of others stand there. */
export class Residents {
  readonly prompt = new Prompt();
  readonly #trace: PagingTrace;
  readonly #remains: Remains;
  readonly #states: Uint8Array;
  /** Tombstones and summaries are blocks without a page, each of its own number below zero. */
  #blocks = 0;
  #summary = { id: 0, tokens: 0 };
  /** The block that stood for a page when it left last. */
  readonly #tombstones = new Map<PageId, number>();
  readonly #front = new Set<PageId>();
  /** Pages whose tombstones stand in the request because they were masked. */
  readonly #masked = new Set<PageId>();
  /** How often the summary had been rewritten when a page left; -1: it was masked. */
  readonly #summarised: Int32Array;
  /** Every page that has been here: what the next context has to wipe, a small part of a trace of many. */
  readonly #known: PageId[] = [];
  rewritings = 0;

  /** `before`: those of the context before, which are not looked at any more; their room is used again. */
  constructor(trace: PagingTrace, remains: Remains, before?: Residents) {
    this.#trace = trace;
    this.#remains = remains;
    if (before) before.#wipe();
    this.#states = before ? before.#states : new Uint8Array(trace.tokens.length);
    this.#summarised = before ? before.#summarised : new Int32Array(trace.tokens.length);
  }

  #wipe(): void {
    for (const page of this.#known) {
      this.#states[page] = GONE;
      this.#summarised[page] = 0;
    }
  }

  has(page: PageId): boolean {
    return this.#states[page] === RESIDENT;
  }

  *pages(): Generator<PageId> {
    for (const id of this.prompt.ids) if (id >= 0) yield id;
  }

  isStub(page: PageId): boolean {
    return this.#states[page] === STUB;
  }

  tokensOf(page: PageId): Tokens {
    return this.#trace.tokens[page] ?? 0;
  }

  /** Rewritings of the summary that this page has been through; no end of them for one of which it saw the tombstone. */
  depthOf(page: PageId): number {
    const since = this.#summarised[page] ?? 0;
    return since < 0 ? Infinity : this.rewritings - since + 1;
  }

  /** What the step's new pages make out of date, of what is there. */
  outdatedAt(step: number): PageId[] {
    const { superseded, supersededStart } = this.#trace;
    const outdated: PageId[] = [];
    for (let at = supersededStart[step] ?? 0; at < (supersededStart[step + 1] ?? 0); at++) {
      const page = superseded[at] ?? -1;
      if (this.has(page)) outdated.push(page);
    }
    return outdated;
  }

  /** At the end of the request, where a new reading stands. */
  add(page: PageId): void {
    this.#enter(page);
    this.prompt.append(page, this.tokensOf(page));
  }

  #enter(page: PageId): void {
    this.#states[page] = RESIDENT;
    this.#known.push(page);
  }

  /** One that had left. */
  bringBack(page: PageId, placement: Placement): void {
    if (placement === 'tail') return this.add(page);
    this.#enter(page);
    const size = this.tokensOf(page);
    if (placement === 'original') return this.#restore(page, size);
    this.prompt.insert(this.#slot(), page, size);
    this.#front.add(page);
  }

  #restore(page: PageId, size: Tokens): void {
    const tombstone = this.#tombstones.get(page);
    this.#tombstones.delete(page);
    const { ids } = this.prompt;
    if (tombstone !== undefined && ids.includes(tombstone))
      return this.prompt.rewrite((id, old) => (id === tombstone ? [page, size] : [id, old]));
    const at = ids.findIndex((id) => id > page);
    this.prompt.insert(at < 0 ? ids.length : at, page, size);
  }

  #slot(): number {
    const { ids } = this.prompt;
    let at = this.#lead();
    while (at < ids.length && ((ids[at] ?? 0) < 0 || this.#front.has(ids[at] ?? -1))) at++;
    return at;
  }

  /** What a page would free by leaving. */
  freedBy(page: PageId): Tokens {
    return this.tokensOf(page) - (this.#remains.kind === 'tombstone' ? this.#remains.tokens : 0);
  }

  /** They leave all at once, so that the prompt is rewritten once. What a summary of them cost, if one was made. */
  leave(pages: ReadonlySet<PageId>): SummaryCall | undefined {
    const { kind } = this.#remains;
    for (const page of pages) {
      this.#states[page] = kind === 'tombstone' ? STUB : GONE;
      this.#summarised[page] = this.rewritings + 1;
    }
    const tombstone = this.#remains.kind === 'tombstone' ? this.#remains.tokens : undefined;
    this.#replace(pages, tombstone);
    return this.#remains.kind === 'summary' ? this.#summarise(pages, this.#remains) : undefined;
  }

  /** A tombstone takes the place of each. */
  mask(pages: ReadonlySet<PageId>, tombstone: Tokens): void {
    for (const page of pages) {
      this.#states[page] = STUB;
      this.#summarised[page] = -1;
      this.#masked.add(page);
    }
    this.#replace(pages, tombstone);
  }

  #replace(pages: ReadonlySet<PageId>, tombstone: Tokens | undefined): void {
    this.prompt.rewrite((id, size) => {
      if (!pages.has(id)) return [id, size];
      this.#front.delete(id);
      if (tombstone === undefined) return undefined;
      this.#tombstones.set(id, --this.#blocks);
      return [this.#blocks, tombstone];
    });
  }

  #summarise(
    pages: ReadonlySet<PageId>,
    { ratio, most }: Extract<Remains, { kind: 'summary' }>,
  ): SummaryCall {
    const old = this.#summary;
    let left = this.#takeTombstones(old.id);
    for (const page of pages) left += this.tokensOf(page);
    const tokens = Math.min(most, Math.ceil(old.tokens + left * ratio));
    this.#summary = { id: --this.#blocks, tokens };
    if (this.rewritings++ === 0) this.prompt.insert(this.#lead(), this.#summary.id, tokens);
    else this.prompt.rewrite((id, size) => (id === old.id ? [this.#summary.id, tokens] : [id, size]));
    return { read: old.tokens + left, written: tokens };
  }

  /** A summary takes in what stands for masked pages. How much that was. */
  #takeTombstones(summary: number): Tokens {
    if (this.#masked.size === 0) return 0;
    for (const page of this.#masked) if (this.#states[page] === STUB) this.#states[page] = GONE;
    this.#masked.clear();
    const before = this.prompt.tokens;
    this.prompt.rewrite((id, size) => (id < 0 && id !== summary ? undefined : [id, size]));
    return before - this.prompt.tokens;
  }

  /** Behind the pages that never leave and came first. */
  #lead(): number {
    const at = this.prompt.ids.findIndex((id) => id < 0 || this.#trace.pinned[id] !== 1);
    return at < 0 ? this.prompt.ids.length : at;
  }
}
