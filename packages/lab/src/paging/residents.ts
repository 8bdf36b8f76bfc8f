import type { PageId, Tokens } from '@pagefault/contracts';
import { Prompt } from './prompt.js';
import type { Remains } from './setup.js';
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
  /** How often the summary had been rewritten when a page left. */
  readonly #summarised: Int32Array;
  rewritings = 0;

  constructor(trace: PagingTrace, remains: Remains) {
    this.#trace = trace;
    this.#remains = remains;
    this.#states = new Uint8Array(trace.tokens.length);
    this.#summarised = new Int32Array(trace.tokens.length);
  }

  has(page: PageId): boolean {
    return this.#states[page] === RESIDENT;
  }

  isStub(page: PageId): boolean {
    return this.#states[page] === STUB;
  }

  tokensOf(page: PageId): Tokens {
    return this.#trace.tokens[page] ?? 0;
  }

  /** Rewritings of the summary that this page has been through. */
  depthOf(page: PageId): number {
    return this.rewritings - (this.#summarised[page] ?? 0) + 1;
  }

  /** At the end of the request, where a new reading stands. */
  add(page: PageId): void {
    this.#states[page] = RESIDENT;
    this.prompt.append(page, this.tokensOf(page));
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
    this.prompt.rewrite((id, size) => (pages.has(id) ? this.#tombstone() : [id, size]));
    return this.#remains.kind === 'summary' ? this.#summarise(pages, this.#remains) : undefined;
  }

  #tombstone(): readonly [number, Tokens] | undefined {
    return this.#remains.kind === 'tombstone' ? [--this.#blocks, this.#remains.tokens] : undefined;
  }

  #summarise(
    pages: ReadonlySet<PageId>,
    { ratio, most }: Extract<Remains, { kind: 'summary' }>,
  ): SummaryCall {
    let left = 0;
    for (const page of pages) left += this.tokensOf(page);
    const old = this.#summary;
    const tokens = Math.min(most, Math.ceil(old.tokens + left * ratio));
    this.#summary = { id: --this.#blocks, tokens };
    if (this.rewritings++ === 0) this.prompt.insert(this.#lead(), this.#summary.id, tokens);
    else this.prompt.rewrite((id, size) => (id === old.id ? [this.#summary.id, tokens] : [id, size]));
    return { read: old.tokens + left, written: tokens };
  }

  /** Behind the pages that never leave and came first. */
  #lead(): number {
    const at = this.prompt.ids.findIndex((id) => id < 0 || this.#trace.pinned[id] !== 1);
    return at < 0 ? this.prompt.ids.length : at;
  }
}
